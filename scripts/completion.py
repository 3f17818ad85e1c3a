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
READ = ("file", "files", "rules", "mpiexec", "hosts", "verify")

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
_hopbine_of() {{ # COLLECTIVE: adds its algorithms to names
  case $1 in
{cases}
  esac
}}
_hopbine_algorithms() {{
  local word
  local -aU names
  for word in $words; do _hopbine_of $word; done
  (( $#names )) || names=({algorithms})
  compset -P '*,'
  compadd -- $names
}}
_hopbine_rules() {{
  local -a names=(mpi)
  compset -P '*,'
  if [[ $PREFIX == *=* ]]; then
    _hopbine_of ${{PREFIX%%=*}}
    compset -P '*='
    compadd -- $names
  else
    compadd -S = -- {collectives}
  fi
}}
_hopbine_machine_or_file() {{ compadd -- {machines}; _files; }}
_hopbine_program() {{ # -- may stand before the program
  [[ $words[1] == -- ]] && {{ shift words; (( CURRENT -= 1 )); }}
  _normal -p hopbine
}}
"""
# A word that is completed begins with the option that it is the value of, or does not.
FISH = """function _hopbine_value
  string replace -r '^--[a-z-]+=' '' -- (commandline -ct)
end
function _hopbine_listed
  set -l before (string replace -r '[^,]*$' '' -- (_hopbine_value))
  printf '%s\\n' $before$argv
end
function _hopbine_of
  switch "$argv"
{cases}
  end
end
function _hopbine_algorithms
  set -l names
  for word in (commandline -opc)
    set -a names (_hopbine_of $word)
  end
  test -n "$names"; or set names {algorithms}
  _hopbine_listed $names
end
function _hopbine_rules
  set -l rule (string replace -r '.*,' '' -- (_hopbine_value))
  if string match -q '*=*' -- $rule
    set -l collective (string replace -r '=.*' '' -- $rule)
    _hopbine_listed $collective=(_hopbine_of $collective; echo mpi)
  else
    _hopbine_listed (string split ' ' '{collectives}')=
  end
end
function _hopbine_program
  __fish_complete_subcommand --fcs-skip=2 -- {valued}
end
"""
#: Verbs that take a program: behind it all is the program's.
PROGRAMS = ("run", "compare")
#: What fish takes to be in such a verb, and should.
FISH_VERB = "'_shtab_hopbine_using {}'"
FISH_OPTIONS = "'_shtab_hopbine_using {}; and test $_shtab_hopbine_npos -eq 0'"


def names() -> dict[str, list[str]]:
    """The algorithms of every collective."""
    from hopbine import _core

    found: dict[str, list[str]] = {}
    for record in _core.algorithms():
        found.setdefault(record["collective"], []).append(record["name"])
    return found


def valued() -> list[str]:
    """The options before a program that take a value, of all PROGRAMS."""
    from hopbine import cli

    verbs = [parser for parser, _ in parsers(cli._parser(None)) if parser.prog[8:] in PROGRAMS]
    taking = (a for verb in verbs for a in verb._actions if a.nargs is None)
    return list(dict.fromkeys(name for action in taking for name in action.option_strings))


def preamble() -> dict[str, str]:
    """What the shells' functions look names up in."""
    from hopbine import _core, machines

    found = names()
    words = {
        "collectives": " ".join(found),
        "algorithms": " ".join(sorted({name for listed in found.values() for name in listed})),
        "machines": " ".join(machines.names()),
        "launchers": " ".join(_core.launchers),
        "valued": " ".join(valued()),
    }
    case = {
        "bash": '      {}) names="$names {}" ;;',
        "end": '      {}) names="{}" ;;',
        "zsh": "    {}) names+=({}) ;;",
        "fish": "    case {}\n      printf '%s\\n' {}",
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

    function = {
        name: f"_hopbine_{name}" for name in ("collectives", "algorithms", "rules", "program")
    }
    listed = {
        kind: {"bash": name, "zsh": name, "fish": f"({name})"} for kind, name in function.items()
    }
    listed["collectives"]["fish"] = f"(_hopbine_listed {' '.join(names())})"
    del listed["rules"]["bash"]  # by BASH_END
    listed["program"]["bash"] = shtab.FILE["bash"]
    either = {
        "bash": "_hopbine_machine_or_file",
        "zsh": "_hopbine_machine_or_file",
        "fish": f"({'; '.join(f'echo {m}' for m in machines.names())}; "
        "__fish_complete_path (commandline -ct))",
    }
    for inner, about in parsers(parser):
        inner.description = about  # in a line
    for action in actions(parser):
        if action.dest in COLLECTIVES:
            action.complete = listed["collectives"]
        elif action.dest in ALGORITHMS:
            action.complete = listed["rules" if action.metavar == "RULES" else "algorithms"]
        elif action.dest == "program":
            action.complete = listed["program"]
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
        for verb in PROGRAMS if shell == "fish" else ():
            text = text.replace(FISH_VERB.format(verb), FISH_OPTIONS.format(verb))
        yield path, "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
