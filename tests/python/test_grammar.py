"""One grammar: the same thing is asked for in the same words in every verb."""

import argparse

import pytest

from hopbine import cli

#: Verbs that print no table.
WITHOUT = (
    "draw",
    "run",
    "env",
    "emulate",
    "report",
    "hang",
    "reproduce",
    "select schema",
    "select export",
    "select import",
    "select forget",
)
#: Verbs that draw, and whose page or schedule is of what another one tells.
DRAWN = ("draw", "machine check", "traffic", "jobs", "simulate", "model")
PICTURE = "(svg, png, pdf)"


def leaves(parser, words=()):
    """(words, parser) of every verb, and of what its words may be."""
    below = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    if not below:
        yield " ".join(words), parser
    for action in below:
        for name, inner in action.choices.items():
            yield from leaves(inner, (*words, name))


VERBS = dict(leaves(cli._parser(None)))


def options(verb):
    """dest -> option strings of those that begin with a dash."""
    return {a.dest: a.option_strings for a in VERBS[verb]._actions if a.option_strings}


@pytest.mark.parametrize("verb", VERBS)
def test_ranks_formats_and_pictures_have_one_name(verb):
    own = options(verb)
    if "ranks" in own:
        assert {"-n", "--ranks"} <= set(own["ranks"])
    if not verb.startswith(WITHOUT):
        (form,) = (a for a in VERBS[verb]._actions if a.dest == "format")
        assert {"table", "csv", "json"} <= set(form.choices)
        assert form.default == "table"
    assert any("--plot" in names for names in own.values()) == (verb in DRAWN)
    assert "ranks" not in own or "--np" not in own["ranks"]


@pytest.mark.parametrize("verb", VERBS)
def test_files_that_are_read_have_their_format_as_input_format(verb):
    own = options(verb)
    if "hosts" in own:
        assert own["input_format"] == ["--input-format"]


@pytest.mark.parametrize("verb", [v for v in VERBS if v not in ("run", "env")])
def test_an_unknown_option_is_told_with_the_help_of_the_verb(verb, capsys):
    needed = [
        word
        for a in VERBS[verb]._actions
        if a.required and a.nargs != argparse.REMAINDER  # a program, whose words are its own
        for word in ([a.option_strings[0]] if a.option_strings else []) + ["2"]
    ]
    needed = ["bcast" if w == "2" and "-" not in needed[i - 1] else w for i, w in enumerate(needed)]
    assert cli.main([*verb.split(), *needed, "--formta", "csv"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"(see hopbine {verb} --help)" in said
    if "format" in options(verb):
        assert "is --format meant?" in said


SAME = (
    ("traffic --hosts a,b --system SYSTEM", "traffic --hosts a,b --machine SYSTEM"),
    ("traffic --hosts a,b --per-node 2", "traffic --hosts a,b --ranks-per-node 2"),
    (
        "schedule allreduce hierarchical_small -n 8 --groups 4,4 --ranks-per-node 2",
        "schedule allreduce hierarchical_small -n 8 --groups 4,4 --per-node 2",
    ),
    (
        "model bcast -n 8 --alpha 1us --beta 1ns/B --topology torus:4x4",
        "model bcast -n 8 --alpha 1us --beta 1ns/B --simulate torus:4x4",
    ),
    ("traffic --hosts a,b --algorithms all", "traffic --hosts a,b"),
)


@pytest.mark.parametrize("pair", SAME)
def test_an_option_has_the_name_of_another_verb_too(pair, tmp_path, capsys):
    (tmp_path / "m.csv").write_text("host,group\na,1\nb,2\n")
    said = []
    for words in pair:
        assert cli.main(words.replace("SYSTEM", str(tmp_path / "m.csv")).split()) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] != ""


def test_other_names_are_neither_in_help_nor_in_the_way_of_abbreviations(capsys):
    words = ["schedule", "allreduce", "ring", "--rank", "4"]
    assert cli.main(words) == 0
    assert "--system" not in VERBS["traffic"].format_help()
    with pytest.raises(ValueError, match="--systm"):
        VERBS["traffic"].parse_args(["--systm", "x"])


def test_jobs_takes_all_algorithms(tmp_path, capsys):
    (tmp_path / "j.csv").write_text('job,hosts\n1,"node[0-1,4-5]"\n')
    words = ["jobs", str(tmp_path / "j.csv"), "--machine", "dragonfly:groups=4,nodes=4"]
    assert cli.main([*words, "--algorithms", "all"]) == 0
    assert {"ring", "auto", "bine_large"} <= set(capsys.readouterr().out.split())


SIZED = {
    "schedule": "bcast ring -n 4 --format goal --size",
    "traffic": "allreduce --hosts a,b --sizes",
    "jobs": "FILE --size",
    "order": "bcast --hosts a,b --size",
    "select explain": "allreduce --hosts a,b --sizes",
    "simulate": "allreduce --topology torus:4x4 --sizes",
    "model": "bcast -n 8 --alpha 1us --beta 1ns/B --sizes",
    "bench": "allreduce -n 2 --sizes",
    "tune": "allreduce -n 2 --mpiexec true --sizes",
    "calibrate": "-n 4 -o c.json --sizes",
}


def test_sizes_are_in_the_list():
    sized = {v for v in VERBS if {"size", "sizes"} & set(options(v)) and not v.startswith("report")}
    assert sized == set(SIZED)


@pytest.mark.parametrize("verb", SIZED)
def test_a_size_without_a_known_unit_is_told(verb, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "FILE").write_text("a\nb\n")
    assert cli.main([*verb.split(), *SIZED[verb].split(), "3zB"]) == 2
    assert "'3zB' is not a number with B, KiB, MiB, GiB" in capsys.readouterr().err
