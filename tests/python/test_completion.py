"""What completes words of the command line, asked as the shells ask it."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hopbine import _core, machines
from hopbine.cli import VERBS

SHARE = Path(__file__).parents[2] / "packaging/share"
#: Prints what completes the last word of each line, and --- behind it.
ASK = {
    "bash": """source {share}/bash-completion/completions/hopbine
while IFS= read -r line; do
  read -ra COMP_WORDS <<<"$line."; COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
  COMP_WORDS[COMP_CWORD]=${{COMP_WORDS[COMP_CWORD]%.}}
  $(complete -p hopbine | sed 's/.*-F \\([^ ]*\\).*/\\1/') 2>/dev/null
  printf '%s\\n' "${{COMPREPLY[@]}}" ---
done <{lines}""",
    "fish": """source {share}/fish/vendor_completions.d/hopbine.fish
while read line
  complete -C "$line" | string replace -r '\\t.*' ''
  echo ---
end <{lines}""",
    # An interactive zsh on a terminal of its own, in which what is offered is printed to a file.
    "zsh": """zmodload zsh/zpty
zpty terminal zsh -f -i
zpty -w terminal "fpath=({share}/zsh/site-functions \\$fpath)
autoload -U compinit; compinit -u -D
unsetopt autolist automenu beep; zstyle ':completion:*' insert-tab false
compadd() {{ local -a offered; builtin compadd -O offered \\"\\$@\\"
  print -rl -- \\$offered >>{lines}.out; builtin compadd \\"\\$@\\"; }}
PS1=REA''DY"
while IFS= read -r line; do
  zpty -r terminal said '*READY*'
  zpty -n -w terminal "$line"$'\\t'
  zpty -n -w terminal $'\\x15'"print -- --- >>{lines}.out"$'\\n'
done <{lines}
zpty -r terminal said '*READY*'
cat {lines}.out""",
}
PROGRAM = "a_program_of_mine"


def of(collective: str, begins: str = "") -> set[str]:
    return {
        a["name"]
        for a in _core.algorithms()
        if a["collective"] == collective and a["name"].startswith(begins)
    }


#: What completes the last word's part behind the last comma or '='.
LINES = {
    "hopbine ": set(VERBS),
    "hopbine tra": {"traffic"},
    "hopbine list alltoa": {"alltoall", "alltoallv"},
    "hopbine check bcast bi": of("bcast", "bi"),
    "hopbine check scan ": of("scan"),
    "hopbine traffic allreduce --algorithms ring,sw": {"swing", "swing_small"},
    "hopbine tune allreduce,bc": {"bcast"},
    "hopbine run --cho": {"--choice"},
    "hopbine run --choice ": {"measure", "count", "table"},
    "hopbine run --system fu": {"fugaku"},
    "hopbine traffic allreduce --machine l": {n for n in machines.names() if n[0] == "l"},
    "hopbine select ex": {"explain", "export"},
    "hopbine select export --for openmpi": {"openmpi", "openmpi6"},
    "hopbine stats VERS": {"VERSION"},
}
#: Where bash has a test of its own, or completes files.
NOT_BASH = {
    "hopbine run --algorithm bcast=bi": of("bcast", "bi"),
    "hopbine run --algorithm bcast=mpi,alltoallv": {"alltoallv"},
    "hopbine run --choice count a_prog": {PROGRAM},
    f"hopbine run --choice count {PROGRAM} --q": set(),
    "hopbine compare --pairs 9 --algorithm bcast=bi": of("bcast", "bi"),
    "hopbine compare --pairs 9 -- a_prog": {PROGRAM},
}


@pytest.mark.parametrize("shell", ASK)
def test_words_are_completed(shell, tmp_path):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed: its completion cannot be asked")
    lines = LINES | ({} if shell == "bash" else NOT_BASH)
    (tmp_path / "lines").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / PROGRAM).write_text("#!/bin/sh\n")
    (tmp_path / PROGRAM).chmod(0o755)
    done = subprocess.run(
        [shell, "-c", ASK[shell].format(share=SHARE, lines=tmp_path / "lines")],
        capture_output=True,
        text=True,
        cwd=SHARE.parents[1],
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TERM": "dumb"},
        timeout=60,
    )
    assert done.stderr == ""
    offered = re.sub("^.*[,=](?=.)|=$", "", done.stdout, flags=re.M).split("---")
    assert {line: set(words.split()) for line, words in zip(lines, offered, strict=False)} == lines


BASH = """source {share}/bash-completion/completions/hopbine
COMP_LINE='{line}' COMP_POINT={point} COMP_WORDS=({words}) COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
function=$(complete -p {first} | sed 's/.*-F \\([^ ]*\\).*/\\1/')
$function 2>/dev/null
printf '%s\\n' "${{COMPREPLY[@]}}" """


@pytest.mark.parametrize("first", ["hopbine", "mpiexec -n 4 hopbine", "srun -n4 /opt/bin/hopbine"])
@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("run --al", {"--algorithm"}),
        ("run --choice ", {"measure", "count", "table"}),
        ("run --algorithm allr", {"allreduce="}),
        ("run --algorithm bcast=bi", of("bcast", "bi")),
        ("run --algorithm scan=", of("scan") | {"mpi"}),
        ("run --algorithm bcast=mpi,allreduce=sw", of("allreduce", "sw")),
        ("run --algorithm bcast=mpi,alltoallv", {"mpi,alltoallv="}),
        ("run --algorithm=bcast=two", of("bcast", "two")),
    ],
)
def test_bash_completes_rules_and_behind_launchers(first, typed, answer):
    line = f"{first} {typed}"
    pieces = [p for word in line.split(" ") for p in re.findall("=|[^=]+", word) or [""]]
    words = " ".join(f"'{piece}'" for piece in pieces)
    script = BASH.format(
        share=SHARE, line=line, point=len(line), words=words, first=first.split()[0]
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert set(done.stdout.split()) == answer


@pytest.mark.parametrize(
    "had",
    [
        "complete -F other srun",
        '__load_completion() { [ "$1" = srun ] && complete -F other srun; }',
    ],
    ids=["loaded", "found when needed"],
)
def test_what_launchers_had_stays(had):
    script = f"""{had}
source {SHARE}/bash-completion/completions/hopbine; complete -p srun; complete -p mpirun"""
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == "complete -F other srun"
    assert "_hopbine_behind mpirun" in done.stdout
