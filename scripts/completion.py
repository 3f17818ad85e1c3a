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
LAUNCHERS = "mpiexec mpirun srun"
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
# bash breaks words at '=', and what is offered replaces the last piece only.
BASH_END = """
_hopbine_rules() {{ # COLLECTIVE=NAME,... AS_BASH_BREAKS_IT
  local last=${{1##*,}} piece=$2 before names=
  [[ $piece == = ]] && piece=
  before=${{1%"$piece"}}
  if [[ $last != *=* ]]; then
    compopt -o nospace 2>/dev/null
    COMPREPLY=($(compgen -S = -W "{collectives}" -- "$last"))
  else
    case ${{last%%=*}} in
{cases}
    esac
    last=${{last#*=}}
    COMPREPLY=($(compgen -W "$names mpi" -- "$last"))
  fi
  COMPREPLY=("${{COMPREPLY[@]/#/"${{1%"$last"}}"}}")
  COMPREPLY=("${{COMPREPLY[@]#"$before"}}")
}}
_hopbine() {{
  if [[ ${{COMP_LINE:0:COMP_POINT}} =~ [[:space:]]--algorithm[=[:space:]]+([^[:space:]]*)$ ]]; then
    _hopbine_rules "${{BASH_REMATCH[1]}}" "${{COMP_WORDS[COMP_CWORD]}}"
  else
    _shtab_hopbine
  fi
}}
_hopbine_behind() {{ # a launcher: what follows hopbine is completed, all else as ever
  local i
  for (( i = 1; i < COMP_CWORD; i++ )); do
    if [[ ${{COMP_WORDS[i]##*/}} == hopbine ]]; then
      COMP_WORDS=("${{COMP_WORDS[@]:i}}")
      (( COMP_CWORD -= i ))
      _hopbine
      return
    fi
  done
}}
complete -o bashdefault -F _hopbine hopbine
_hopbine_has_its_own() {{ # COMMAND, whose completion may not be loaded yet
  local load
  complete -p "$1" >/dev/null 2>&1 && return
  for load in _comp_load __load_completion; do
    declare -F "$load" >/dev/null && "$load" "$1" >/dev/null 2>&1 && return
  done
  return 1
}}
for _hopbine_launcher in {launchers}; do
  _hopbine_has_its_own "$_hopbine_launcher" ||
    complete -o bashdefault -o default -F _hopbine_behind "$_hopbine_launcher"
done
unset -f _hopbine_has_its_own
unset _hopbine_launcher
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
        "launchers": LAUNCHERS,
    }
    case = {
        "bash": '      {}) names="$names {}" ;;',
        "end": '      {}) names="{}" ;;',
        "zsh": "      {}) names+=({}) ;;",
        "fish": "      case {}\n        set -a names {}",
    }
    text = {"bash": BASH, "zsh": ZSH, "fish": FISH, "end": BASH_END}
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

    own = preamble()
    for shell, path in FILES.items():
        parser = cli._parser(None)
        mark(parser)
        text = shtab.complete(parser, shell, preamble=own[shell])
        text += own["end"] if shell == "bash" else ""
        yield path, "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
