"""What completes words of the command line, asked as the shells ask it."""

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
