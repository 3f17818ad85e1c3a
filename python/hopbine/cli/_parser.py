"""The parser of all verbs.

Every number and text of the command line is bounded here, before anything uses it.
"""

import argparse
import math
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any, NoReturn

from ..errors import UsageError
from ..notation import quantities
from ..notation.text import near

#: What one argument may be; lists of hosts are the longest.
MOST_CHARACTERS = 1 << 20
MOST_NUMBER = 2**31 - 1
#: Seconds, factors, shares.
MOST_REAL = 1e9
MOST_SECONDS = 1e7
#: Options that are also taken by the name they have in another verb, which help does not show.
ALIASES = {
    "--machine": "--system",
    "--per-node": "--ranks-per-node",
    "--ranks-per-node": "--per-node",
    "--simulate": "--topology",
}


def about(verb: ModuleType) -> str:
    """What a verb does, from its module's docstring: 'hopbine VERB: ...' up to an empty line."""
    said = " ".join((verb.__doc__ or "").partition("\n\n")[0].split())
    return said.partition(": ")[2]


def whole(text: str) -> int:
    """A whole number that C++ holds in an int."""
    try:
        return quantities.whole(text, "it", -MOST_NUMBER, MOST_NUMBER)
    except UsageError:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a whole number of at most {MOST_NUMBER}"
        ) from None


def real(text: str) -> float:
    """A finite number."""
    try:
        value = float(text) if len(text) <= 64 and text.isascii() else math.nan
    except ValueError:
        value = math.nan
    if not abs(value) <= MOST_REAL:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of at most {MOST_REAL:g}")
    return value


def count(low: int = 1, high: int = 1 << 20) -> Callable[[str], int]:
    """The type of an option that counts things."""

    def read(text: str) -> int:
        number = whole(text)
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{number} is outside {low}..{high}")
        return number

    return read


def seconds(text: str) -> float:
    """More than none, and no more than some weeks."""
    value = real(text)
    if not 0 < value <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(
            f"{value:g} is not more than 0 and at most {MOST_SECONDS:g} seconds"
        )
    return value


def words(text: str) -> str:
    """Text that is not empty, not endless, and UTF-8."""
    if not text:
        raise argparse.ArgumentTypeError("is empty")
    if len(text) > MOST_CHARACTERS:
        raise argparse.ArgumentTypeError(f"has {len(text)} characters, more than {MOST_CHARACTERS}")
    if "\0" in text:
        raise argparse.ArgumentTypeError("holds a zero byte")
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise argparse.ArgumentTypeError("is not UTF-8 text")
    return text


class Parser(argparse.ArgumentParser):
    """An ArgumentParser with bounds, whose errors are one line.

    Its subparsers are of the same class.
    """

    def __init__(self, *arguments: Any, **how: Any) -> None:
        super().__init__(*arguments, **how)
        self._hidden: set[str] = set()
        for kind, bounded in ((int, whole), (float, real), (None, words)):
            self.register("type", kind, bounded)

    def add_subparsers(self, **how: Any) -> Any:
        """Subparsers, which look at their words themselves and so can name the option."""
        action = super().add_subparsers(**how)
        action.type = str
        return action

    def list_in_groups(self, verbs: Any, groups: Mapping[str, Iterable[str]]) -> None:
        """Help lists the verbs, an action of this parser, below the titles of groups."""
        self._positionals._group_actions.remove(verbs)
        told = {action.dest: action for action in verbs._choices_actions}
        for title, names in groups.items():
            self.add_argument_group(title)._group_actions += [told[name] for name in names]

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """With the other names of options, which are no options of their own."""
        known = self._option_string_actions
        self._hidden = {b for a, b in ALIASES.items() if a in known and b not in known}
        known.update({b: known[a] for a, b in ALIASES.items() if b in self._hidden})
        return super().parse_known_args(args, namespace)

    def _get_option_tuples(self, option_string: str) -> list[Any]:
        """What an abbreviation may be: no hidden name."""
        every = super()._get_option_tuples(option_string)
        return [one for one in every if one[1] not in self._hidden]

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Names the choice that is near to a wrong one."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message += near(str(value), map(str, action.choices or ()))
            raise

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As ever, but the verb itself tells what it does not know."""
        found, rest = self.parse_known_args(args, namespace)
        if rest:
            self._of_verb(list(args or ())).error(f"unrecognized arguments: {' '.join(rest)}")
        return found

    def _of_verb(self, words: list[str]) -> "Parser":
        """The parser of the verb, and of what it analyses, that the words name."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for i, word in enumerate(words):
                    if word in action.choices:
                        verb: Parser = action.choices[word]
                        return verb._of_verb(words[i + 1 :])
        return self

    def _option_names(self) -> list[str]:
        """The options of this parser and of its verbs."""
        below = [
            name
            for action in self._actions
            if isinstance(action, argparse._SubParsersAction)
            for verb in action.choices.values()
            for name in verb._option_names()
        ]
        return [*self._option_string_actions, *below]

    def error(self, message: str) -> NoReturn:
        """UsageError, which main() tells as any other."""
        unknown = message.removeprefix("unrecognized arguments: ").split(" ")[0].partition("=")[0]
        if unknown.startswith("--") and "unrecognized" in message:
            message += near(unknown, self._option_names())
        raise UsageError(f"{message.removeprefix('argument ')} (see {self.prog} --help)")
