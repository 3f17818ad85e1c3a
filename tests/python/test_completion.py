"""What completes words of the command line, asked as the shells ask it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hopbine import _core, machines
from hopbine.cli import VERBS

SHARE = Path(__file__).parents[2] / "packaging/share"
#: The line's words but the last, which is completed by those that follow.
ASK = {
    "bash": """source {share}/bash-completion/completions/hopbine
COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
$(complete -p hopbine | sed 's/.*-F \\([^ ]*\\).*/\\1/') 2>/dev/null
printf '%s\\n' "${{COMPREPLY[@]}}" """,
    "fish": """source {share}/fish/vendor_completions.d/hopbine.fish
complete -C '{line}' | string replace -r '\\t.*' '' """,
}


def of(collective: str, begins: str = "") -> set[str]:
    return {
        a["name"]
        for a in _core.algorithms()
        if a["collective"] == collective and a["name"].startswith(begins)
    }


@pytest.mark.parametrize("shell", ASK)
@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("hopbine ", set(VERBS)),
        ("hopbine tra", {"traffic"}),
        ("hopbine list alltoa", {"alltoall", "alltoallv"}),
        ("hopbine check bcast bi", of("bcast", "bi")),
        ("hopbine check scan ", of("scan")),
        ("hopbine traffic allreduce --algorithms ring,sw", {"ring,swing", "ring,swing_small"}),
        ("hopbine tune allreduce,bc", {"allreduce,bcast"}),
        ("hopbine run --cho", {"--choice"}),
        ("hopbine run --choice ", {"measure", "count", "table"}),
        ("hopbine run --system fu", {"fugaku"}),
        ("hopbine traffic allreduce --machine l", {n for n in machines.names() if n[0] == "l"}),
        ("hopbine select ex", {"explain", "export"}),
        ("hopbine select export --for openmpi", {"openmpi", "openmpi6"}),
        ("hopbine stats VERS", {"VERSION"}),
    ],
)
def test_words_are_completed(shell, line, answer):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed: its completion cannot be asked")
    words = line.split(" ")
    words[-1] = words[-1] or "''"
    script = ASK[shell].format(share=SHARE, words=" ".join(words), line=line)
    done = subprocess.run(
        [shell, "-c", script], capture_output=True, text=True, cwd=SHARE.parents[1]
    )
    assert done.stderr == ""
    assert set(done.stdout.split()) == answer


def test_zsh_reads_its_script():
    if not shutil.which("zsh"):
        pytest.skip("zsh is not installed: its script cannot be read")
    script = SHARE / "zsh/site-functions/_hopbine"
    subprocess.run(["zsh", "-n", script], check=True)
    assert script.read_text().startswith("#compdef hopbine\n")


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
