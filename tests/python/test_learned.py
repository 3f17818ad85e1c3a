"""hopbine select show and forget, and hopbine info: what jobs have learned."""

import json

import pytest

from hopbine import _core
from hopbine.cli import main
from hopbine.selection.file import Rule, write

NAME = f"learned-{_core.version}.json"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The cache folder of a home of its own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOPBINE_LEARN")
    made = tmp_path / ".cache/hopbine"
    made.mkdir(parents=True, mode=0o700)
    return made


def said(capsys, *words):
    """Exit code, standard output and standard error of a verb."""
    code = main([str(word) for word in words])
    out = capsys.readouterr()
    return code, out.out, out.err


def setting(capsys):
    """The row of HOPBINE_LEARN."""
    code, out, _ = said(capsys, "info", "--format", "json")
    assert code == 0
    (row,) = [row for row in json.loads(out) if row["name"] == "HOPBINE_LEARN"]
    return row["value"], row["source"]


def test_show_shows_what_the_next_job_begins_with(folder, tmp_path, monkeypatch, capsys):
    code, out, _ = said(capsys, "select", "show")
    assert code == 0
    assert str(folder / NAME) in out
    write(folder / NAME, [Rule("bcast", "knomial", processor="P 7", cores="1/2")], "")
    code, out, _ = said(capsys, "select", "show")
    assert code == 0
    assert "knomial" in out
    assert "P 7" in out
    assert "1/2" in out
    named = tmp_path / "named.json"
    write(named, [Rule("bcast", "binomial_doubling")], "")
    monkeypatch.setenv("HOPBINE_LEARN", str(named))
    assert "binomial_doubling" in said(capsys, "select", "show")[1]
    monkeypatch.setenv("HOPBINE_LEARN", "none")
    code, _, err = said(capsys, "select", "show")
    assert code == 2
    assert "nothing is kept: HOPBINE_LEARN is none" in err


def test_forget_deletes_what_is_in_the_cache(folder, tmp_path, monkeypatch, capsys):
    named = tmp_path / "named.json"
    gone = [folder / NAME, folder / f"{NAME}.broken", folder / "learned-0.0.9.json"]
    for file in (named, *gone):
        write(file, [Rule("bcast", "mpi")], "")
    (folder / "other").write_text("")
    monkeypatch.setenv("HOPBINE_LEARN", str(named))
    code, out, _ = said(capsys, "select", "forget")
    assert code == 0
    assert set(out.splitlines()) == {f"deleted: {file}" for file in gone}
    assert named.exists()
    assert [file.name for file in folder.iterdir()] == ["other"]
    assert said(capsys, "select", "forget")[1] == "nothing was kept\n"


def test_info_tells_where_or_why_nowhere(folder, tmp_path, monkeypatch, capsys):
    assert setting(capsys) == (str(folder / NAME), "default")
    folder.chmod(0o777)
    assert setting(capsys) == (f"none: {folder}: others may write there", "default")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert setting(capsys) == (str(tmp_path / "x/hopbine" / NAME), "default")
    monkeypatch.setenv("HOPBINE_LEARN", "none")
    assert setting(capsys) == ("none", "environment")
    monkeypatch.setenv("HOPBINE_LEARN", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", "")
    value, _ = setting(capsys)
    assert value == "none: neither XDG_CACHE_HOME nor HOME is an absolute path"


def test_explain_takes_the_words_of_a_rule(tmp_path, capsys):
    path = tmp_path / "r.json"
    words = {"mpi": "M 1", "processor": "P 7", "transport": "cxi", "cores": "1"}
    write(path, [Rule("bcast", "knomial", **words)], "")
    command = ("select", "explain", "bcast", "--rules", path, "-p", 8, "--sizes", 8)
    given = [part for name, word in words.items() for part in (f"--{name}", word)]
    assert "knomial, line 3" in said(capsys, *command, *given)[1]
    assert "cores unknown, not 1" in said(capsys, *command, *given[:-2])[1]
