"""Help texts of the command line's parsers, laid out the same by every Python."""

import argparse
import re
import textwrap
from collections.abc import Iterator

PROSE, HELP = 120, 80


def wrapped(text: str, indent: str = "", width: int = PROSE) -> str:
    """A paragraph, or an item whose further lines are indented.

    Code and differences (p - 1) stay on one line: Markdown has items that begin with a sign.
    """
    whole = re.sub(r"`[^`]+`|\S+ - \S+", lambda m: m[0].replace(" ", "\0"), text)
    return textwrap.fill(
        whole, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ).replace("\0", " ")


class Help:
    """The help text of a parser, laid out here: argparse's own differs between Pythons."""

    def __init__(self, parser: argparse.ArgumentParser, about: str) -> None:
        self.parser, self.about = parser, about
        self.formatter = parser.formatter_class(parser.prog)
        self.raw = issubclass(parser.formatter_class, argparse.RawDescriptionHelpFormatter)

    def values(self, action: argparse.Action) -> str:
        """What an argument is followed by, or what stands for it."""
        return self.formatter._format_args(action, (action.dest or "").upper())

    def names(self, action: argparse.Action) -> str:
        """'-o FILE, --output FILE', or the metavar of a positional argument."""
        if not action.option_strings:
            return str(
                action.metavar or self.formatter._metavar_formatter(action, action.dest)(1)[0]
            )
        values = "" if action.nargs == 0 else " " + self.values(action)
        return ", ".join(action.option_strings) + values

    def in_usage(self, action: argparse.Action) -> str:
        """An argument in the first lines."""
        if not action.option_strings:
            metavar = action.metavar or self.formatter._metavar_formatter(action, action.dest)(1)[0]
            return self.formatter._format_args(action, str(metavar))
        values = "" if action.nargs == 0 else " " + self.values(action)
        text = action.option_strings[0] + values
        return text if action.required else f"[{text}]"

    def usage(self) -> str:
        """How it is called."""
        if self.parser.usage:
            return f"usage: {self.parser.usage}"
        start, words, told = f"usage: {self.parser.prog} ", [], []
        for action in sorted(self.parser._actions, key=lambda a: not a.option_strings):
            if action.help == argparse.SUPPRESS or action in told:
                continue
            groups = self.parser._mutually_exclusive_groups
            one_of = next((g for g in groups if action in g._group_actions), None)
            if one_of:
                told += one_of._group_actions
                choices = " | ".join(self.in_usage(a).strip("[]") for a in one_of._group_actions)
                words.append(f"({choices})" if one_of.required else f"[{choices}]")
            else:
                words.append(self.in_usage(action))
        glued = " ".join(w.replace(" ", "\0") for w in words)
        return wrapped(start + glued, " " * len(start), HELP)

    def paragraph(self, text: str) -> str:
        """A description, as its writer laid it out where it says so."""
        return text.strip("\n") if self.raw else wrapped(" ".join(text.split()), "", HELP)

    def told(self, actions: list[argparse.Action]) -> Iterator[str]:
        """Arguments and their meaning, side by side."""
        for action in actions:
            if action.help == argparse.SUPPRESS:
                continue
            yield from self.one("  " + self.names(action), action)
            if isinstance(action, argparse._SubParsersAction):
                for choice in action._choices_actions:
                    yield from self.one("    " + choice.dest, choice)

    def one(self, names: str, action: argparse.Action) -> Iterator[str]:
        """An argument: its meaning begins in column 24, below it where that is taken."""
        meaning = self.formatter._expand_help(action) if action.help else ""
        lines = textwrap.wrap(" ".join(meaning.split()), HELP - 24)
        if not lines or len(names) > 22:
            yield names
        else:
            yield f"{names:<24}{lines.pop(0)}"
        yield from (" " * 24 + line for line in lines)

    def text(self) -> str:
        """All of it."""
        parts = [self.usage()]
        if self.parser.description or self.about:
            parts.append(self.paragraph(self.parser.description or self.about))
        for group in self.parser._action_groups:
            if lines := list(self.told(group._group_actions)):
                parts.append("\n".join([f"{group.title}:", *lines]))
        if self.parser.epilog:
            parts.append(self.paragraph(self.parser.epilog))
        return "\n\n".join(parts)


def parsers(
    parser: argparse.ArgumentParser, about: str = ""
) -> Iterator[tuple[argparse.ArgumentParser, str]]:
    """This one, and those of its verbs."""
    yield parser, about
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            told = {c.dest: c.help or "" for c in action._choices_actions}
            for name, inner in action.choices.items():
                yield from parsers(inner, told.get(name, ""))
