"""Templates of others (issue 14, line 15): they write the page and reach nothing else."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jinja2.exceptions import SecurityError, TemplateRuntimeError, UndefinedError
from report_example import example_facts
from test_report_page import page_of

from rocstats.errors import InvalidOptionError
from rocstats.reports import diagnostic

RUN = ".popen('touch reached').read()"
ATTACKS = {
    "cycler": "{{ cycler.__init__.__globals__.os" + RUN + " }}",
    "joiner": "{{ joiner.__init__.__globals__.os" + RUN + " }}",
    "namespace": "{{ namespace.__init__.__globals__.os" + RUN + " }}",
    "lipsum": "{{ lipsum.__globals__.os" + RUN + " }}",
    "items": "{{ lipsum['__globals__']['os']" + RUN + " }}",
    "mro": "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "mro of a type": "{{ dict.mro() }}",
    "attr": "{{ (lipsum | attr('__globals__'))['os']" + RUN + " }}",
    "attr in pieces": "{{ (lipsum | attr('__glo' ~ 'bals__'))['os']" + RUN + " }}",
    "map": "{{ [lipsum] | map(attribute='__globals__') | first }}",
    "selectattr": "{{ [lipsum] | selectattr('__globals__.os') | list }}",
    "format": "{{ '{0.__class__.__mro__}'.format(1) }}",
    "format_map": "{{ '{a.__globals__}'.format_map({'a': lipsum}) }}",
    "format by attr": "{{ ('{0.__globals__}' | attr('format'))(lipsum) }}",
    "format by map": "{{ ['{0.__globals__}'.format] | map('attr', '__self__') | first }}",
    "format of markup": "{{ ('{0.__globals__}' | safe).format(lipsum) }}",
    "format of a drawing": "{{ (style ~ '{0.__globals__}').format(lipsum) }}",
    "the template": "{{ self.__init__.__globals__ }}",
    "its context": "{{ self._TemplateReference__context }}",
    "our function": "{{ moving.func.__globals__ }}",
    "our filter": "{{ data | plain(default=lipsum) }}",
    "a path of ours": "{{ moving('{m.__class__}') }}",
    "a fact": "{{ data.n.__class__.__base__ }}",
    "a macro": "{% macro m() %}{% endmacro %}{{ m._func.__globals__ }}",
    "a generator": "{{ ([1] | map('string')).gi_frame }}",
    "a loop": "{% for i in [1] %}{{ loop.__init__.__globals__ }}{% endfor %}",
    "a change": "{{ alerts.append(1) }}",
    "a change of a table": "{{ data.update({'n': 1}) }}",
    "a long range": "{{ range(10 ** 9) | list }}",
}
REFUSED = (SecurityError, UndefinedError, TemplateRuntimeError, TypeError, KeyError, OverflowError)


@pytest.fixture(scope="module")
def facts() -> Any:
    return example_facts()


@pytest.mark.parametrize("name", ATTACKS)
def test_14_15_a_template_reaches_nothing_of_python(
    facts: Any, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "evil"
    folder.mkdir()
    (folder / "alerts.html.jinja").write_text(ATTACKS[name])
    given = deepcopy(facts)
    with pytest.raises(REFUSED) as refusal:
        page_of(given, templates=folder)
    assert not (tmp_path / "reached").exists()
    assert "Traceback" not in str(refusal.value)


def test_14_15_the_refusal_is_one_sentence_with_file_and_line(facts: Any, tmp_path: Path) -> None:
    (tmp_path / "alerts.html.jinja").write_text("<p>\n" + ATTACKS["cycler"])
    page_of(given := dict(facts))
    with pytest.raises(
        InvalidOptionError,
        match=r"failed in alerts.html.jinja, line 2: SecurityError, access to attribute '__init__'",
    ):
        diagnostic._page(given, tmp_path)


def test_14_15_what_a_template_is_for_still_works(facts: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.jinja").write_text("{% macro twice(x) %}{{ x }}{{ x }}{% endmacro %}")
    (tmp_path / "alerts.html.jinja").write_text(
        "{% import 'mine.jinja' as mine %}{% set told = namespace(n=0) %}"
        "{% for m in markers %}{% set told.n = told.n + 1 %}{% endfor %}"
        "{{ mine.twice('{:>3}'.format('a')) }}{{ markers | map(attribute='name') | join('-') }}"
    )
    names = "-".join(m["name"] for m in facts["markers"])
    assert f"  a  a{names}" in page_of(dict(facts), templates=tmp_path)
