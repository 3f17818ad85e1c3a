"""The manual pages: hopbine.1, and hopbine-VERB.1 for every verb, of the command line's parsers."""

import argparse
import re
import textwrap
from collections.abc import Iterator

from help_text import Help, parsers

#: What the first line of a page names besides the page.
MANUAL = "hopbine's manual"
EXIT_STATUS = (
    ("0", "Done."),
    ("1", "Something failed: a check, a measurement, a launched job."),
    ("2", "An argument, a setting or a file is wrong; the message says which and what is allowed."),
    ("130", "Interrupted."),
)
#: Verbs under which programs run: their pages have the variables.
RUNS = ("run", "env", "compare")


def escaped(text: str) -> str:
    """Text in troff: no character of a line is a command."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def listed(pairs: Iterator[tuple[str, str]]) -> str:
    """Terms in bold, each with its meaning below."""
    return "\n".join(f".TP\n.B {escaped(term)}\n{escaped(meaning)}" for term, meaning in pairs)


def as_laid_out(text: str) -> str:
    """Lines that are not filled."""
    return f".nf\n{escaped(text.strip(chr(10)))}\n.fi"


def variables() -> Iterator[tuple[str, str]]:
    """The settings of programs under hopbine."""
    from hopbine.core.settings import SETTINGS

    for name, setting in SETTINGS.items():
        allowed = f" ({', '.join(setting.allowed)})" if setting.allowed else ""
        yield name, f"{setting.meaning}{allowed}"


def page(parser: argparse.ArgumentParser, about: str, others: list[str]) -> str:
    """One page, with references to the others."""
    from argparse_manpage.manpage import Manpage

    from hopbine import _core

    name = parser.prog.replace(" ", "-")
    help_text = Help(parser, about)
    description, epilog = parser.description or about, parser.epilog
    parser.description = parser.epilog = None  # this page lays them out itself
    for inner, told in list(parsers(parser))[1:]:
        inner.usage = Help(inner, told).usage().removeprefix("usage: ").replace("%", "%%")
    made = Manpage(parser, _data={"date": " ", "project_name": "hopbine", "version": _core.version})
    made.prog, made.manual = name, MANUAL
    made.description = about
    usage = " ".join(help_text.usage().removeprefix("usage: ").split())
    command, _, words = usage.partition("hopbine")
    verb = parser.prog.removeprefix("hopbine")
    made.add_section(
        "synopsis",
        ">",
        escaped(command) + rf"\fBhopbine{escaped(verb)}\fR" + escaped(words.removeprefix(verb)),
    )
    paragraphs = description.strip("\n").split("\n\n") if help_text.raw else [description]
    made.add_section("description", ">", "\n.PP\n".join(escaped(p) for p in paragraphs))
    if epilog:
        title, _, lines = epilog.partition(":\n")
        made.add_section(title, ">", as_laid_out(textwrap.dedent(lines)))
    if verb.strip() in RUNS:
        made.add_section("environment", ">", listed(variables()))
        files = [
            ("PREFIX/etc/hopbine.conf, /etc/hopbine.conf", "Defaults for all: NAME=VALUE lines.")
        ]
        made.add_section("files", ">", listed(iter(files)))
    made.add_section("exit status", ">", listed(iter(EXIT_STATUS)))
    see = [rf".BR {escaped(other)} (1)" for other in others if other != name]
    made.add_section("see also", ">", " ,\n".join(see))
    text = str(made).replace("\nPOSITIONAL ARGUMENTS\n", "\nCOMMANDS\n")
    return re.sub(r"[ \t]+$", "", text, flags=re.M)


def pages() -> Iterator[tuple[str, str]]:
    """File names and texts."""
    from hopbine import cli

    top = cli._parser(None)
    names = ["hopbine", *(f"hopbine-{verb}" for verb in cli.VERBS)]
    verbs = [(p, about) for p, about in parsers(top) if p.prog.count(" ") == 1]
    for parser, about in verbs:
        yield f"{parser.prog.replace(' ', '-')}.1", page(parser, about, ["hopbine"])
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            action.choices.clear()  # every verb has a page of its own
    yield "hopbine.1", page(top, str(top.description).rstrip("."), names)
