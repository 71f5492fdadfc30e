"""Templates are compiled once, kept beside their sources, and never taken for others."""

import sys
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader

from rocstats.reports import kept_templates
from rocstats.reports.kept_templates import KeptTemplates


def environment(folder: Path, kept: Path | None = None) -> Environment:
    return Environment(
        loader=FileSystemLoader(folder),
        bytecode_cache=KeptTemplates(kept or folder),
        autoescape=True,
    )


@pytest.fixture
def template(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    path = tmp_path / "a.html.jinja"
    path.write_text("{{ x }} of old")
    return path


def test_a_kept_template_is_not_compiled_again(template, monkeypatch):
    folder = template.parent
    assert environment(folder).get_template(template.name).render(x=1) == "1 of old"
    assert [*folder.glob("__pycache__/a.html*.pyc")]
    again = environment(folder)
    monkeypatch.setattr(again, "_generate", lambda *a, **k: pytest.fail("compiled again"))
    assert again.get_template(template.name).render(x=2) == "2 of old"


def test_a_changed_template_or_another_way_to_print_is_compiled_anew(template):
    folder = template.parent
    environment(folder).get_template(template.name)
    template.write_text("{{ x }} of new")
    assert environment(folder).get_template(template.name).render(x=1) == "1 of new"
    finished = environment(folder)
    finished.finalize = lambda value: f"<{value}>" if value == 1 else value
    assert "1" in finished.get_template(template.name).render(x=1)
    assert len([*folder.glob("__pycache__/a.html*.pyc")]) == 2


@pytest.mark.parametrize("broken", [b"", b"no such thing", b"j2\x05"])
def test_what_is_kept_and_broken_is_made_again(template, broken):
    folder = template.parent
    environment(folder).get_template(template.name)
    (kept,) = folder.glob("__pycache__/a.html*.pyc")
    kept.write_bytes(kept.read_bytes()[:40] if broken == b"j2\x05" else broken)
    assert environment(folder).get_template(template.name).render(x=3) == "3 of old"


def test_nothing_is_kept_of_a_users_templates_or_where_python_keeps_nothing(
    template, tmp_path, monkeypatch
):
    folder = template.parent
    assert environment(folder, tmp_path / "ours").get_template(template.name).render(x=1)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert environment(folder).get_template(template.name).render(x=1)
    assert not [*folder.glob("__pycache__")]


def test_a_folder_that_cannot_be_written_does_no_harm(template, monkeypatch):
    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr(kept_templates, "write_whole", refuse)
    found = environment(template.parent).get_template(template.name)
    assert found.render(x=1) == "1 of old"
