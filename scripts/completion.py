"""Completion of bash, zsh and fish, of the command line's parsers."""

import argparse
from collections.abc import Iterator

from help_text import parsers

#: Where each shell looks for what completes `hopbine`, below PREFIX/share.
FILES = {
    "bash": "bash-completion/completions/hopbine",
    "zsh": "zsh/site-functions/_hopbine",
    "fish": "fish/vendor_completions.d/hopbine.fish",
}
#: Arguments by name; what is not here and has no choices is a file where its metavar says so.
COLLECTIVES = ("collective", "collectives")
ALGORITHMS = ("algorithm", "algorithms", "baseline", "focus", "aside")
MACHINES = ("machine", "system")
READ = ("file", "files", "rules", "program", "mpiexec", "hosts", "verify")

# Names are completed after the last comma. The algorithms are those of the collectives that the
# line names, else all.
BASH = """_hopbine_listed() {{ # NAMES WORD
  compgen -P "${{2%"${{2##*,}}"}}" -W "$1" -- "${{2##*,}}"
}}
_hopbine_collectives() {{ _hopbine_listed "{collectives}" "$1"; }}
_hopbine_algorithms() {{
  local word names=
  for word in "${{COMP_WORDS[@]}}"; do
    case $word in
{cases}
    esac
  done
  _hopbine_listed "${{names:-{algorithms}}}" "$1"
}}
_hopbine_machine_or_file() {{
  compgen -W "{machines}" -- "$1"
  compgen -f -- "$1"
}}
"""
ZSH = """_hopbine_collectives() {{ compset -P '*,'; compadd -- {collectives}; }}
_hopbine_algorithms() {{
  local word
  local -aU names
  for word in $words; do
    case $word in
{cases}
    esac
  done
  (( $#names )) || names=({algorithms})
  compset -P '*,'
  compadd -- $names
}}
_hopbine_machine_or_file() {{ compadd -- {machines}; _files; }}
"""
FISH = """function _hopbine_listed
  set -l before (string replace -r '[^,]*$' '' -- (commandline -ct))
  printf '%s\\n' $before$argv
end
function _hopbine_algorithms
  set -l names
  for word in (commandline -opc)
    switch $word
{cases}
    end
  end
  test -n "$names"; or set names {algorithms}
  _hopbine_listed $names
end
"""


def names() -> dict[str, list[str]]:
    """The algorithms of every collective."""
    from hopbine import _core

    found: dict[str, list[str]] = {}
    for record in _core.algorithms():
        found.setdefault(record["collective"], []).append(record["name"])
    return found


def preamble() -> dict[str, str]:
    """What the shells' functions look names up in."""
    from hopbine import machines

    found = names()
    words = {
        "collectives": " ".join(found),
        "algorithms": " ".join(sorted({name for listed in found.values() for name in listed})),
        "machines": " ".join(machines.names()),
    }
    case = {
        "bash": '      {}) names="$names {}" ;;',
        "zsh": "      {}) names+=({}) ;;",
        "fish": "      case {}\n        set -a names {}",
    }
    text = {"bash": BASH, "zsh": ZSH, "fish": FISH}
    return {
        shell: text[shell].format(
            cases="\n".join(form.format(c, " ".join(a)) for c, a in found.items()), **words
        )
        for shell, form in case.items()
    }


def actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """All arguments that take a value, but those that shtab knows from their choices."""
    for inner, _ in parsers(parser):
        yield from (a for a in inner._actions if a.nargs != 0 and not a.choices)


def mark(parser: argparse.ArgumentParser) -> None:
    """Says of every argument what completes it."""
    import shtab

    from hopbine import machines

    function = {name: f"_hopbine_{name}" for name in ("collectives", "algorithms")}
    listed = {
        kind: {"bash": name, "zsh": name, "fish": f"({name})"} for kind, name in function.items()
    }
    listed["collectives"]["fish"] = f"(_hopbine_listed {' '.join(names())})"
    either = {
        "bash": "_hopbine_machine_or_file",
        "zsh": "_hopbine_machine_or_file",
        "fish": f"({'; '.join(f'echo {m}' for m in machines.names())}; "
        "__fish_complete_path (commandline -ct))",
    }
    for action in actions(parser):
        if action.dest in COLLECTIVES:
            action.complete = listed["collectives"]
        elif action.dest in ALGORITHMS and action.metavar != "RULES":
            action.complete = listed["algorithms"]
        elif action.dest in MACHINES:
            action.complete = either
        elif action.dest in READ or str(action.metavar).startswith(("FILE", "OUT")):
            action.complete = shtab.FILE


def scripts() -> Iterator[tuple[str, str]]:
    """Paths below share, and texts."""
    import shtab

    from hopbine import cli

    for shell, path in FILES.items():
        parser = cli._parser(None)
        mark(parser)
        text = shtab.complete(parser, shell, preamble=preamble()[shell])
        yield path, "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
