"""Output files appear whole or not at all."""

import os
import stat

import pytest

from hopbine.cli import main
from hopbine.output.replaced import replaced


def names(folder) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_what_is_written_takes_the_place_of_what_was_there(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("old")
    path.chmod(0o640)
    with replaced(path) as made:
        assert made.suffix == ".csv"
        made.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names(tmp_path) == {"x.csv"}


def test_an_error_leaves_what_was_there(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("old")

    def interrupted():
        with replaced(path) as made:
            made.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "old"
    assert names(tmp_path) == {"x.csv"}


def test_links_are_followed_and_devices_stay(tmp_path):
    path, link = tmp_path / "x.csv", tmp_path / "link.csv"
    path.write_text("old")
    link.symlink_to(path)
    with replaced(link) as made:
        made.write_text("new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    with replaced(os.devnull) as made:
        made.write_text("gone")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@pytest.mark.parametrize(
    ("words", "file"),
    [
        ("traffic --hosts a,b,c --csv x.csv", "x.csv"),
        ("traffic --hosts a,b,c --parquet x.parquet", "x.parquet"),
        ("draw bcast linear -p 3 -o x.svg", "x.svg"),
        ("simulate allreduce --topology torus:2x2 --sizes 64 --plot x.png", "x.png"),
        ("simulate allreduce --topology torus:2x2 --sizes 64 --figure x.png", "x.png"),
        ("report traffic --hosts a,b,c -o x.html", "x.html"),
    ],
)
def test_verbs_leave_one_file_with_the_usual_mode(words, file, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(words.split()) == 0, capsys.readouterr().err
    assert names(tmp_path) == {file}
    (tmp_path / "usual").touch()
    modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert len(modes) == 1
