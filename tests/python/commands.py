"""Commands as a user types them, run in this process."""

from hopbine.cli import main


def hopbine(capsys, *words: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    code = main(list(words))
    told = capsys.readouterr()
    return code, told.out, told.err


def simulate(capsys, *words: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error of hopbine simulate."""
    return hopbine(capsys, "simulate", *words)
