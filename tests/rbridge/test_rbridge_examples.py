"""The examples of the bridge, which pytest skips because R may not be there, run where it is."""

import doctest
import inspect

import pytest

from rocstats import rbridge

FUNCTIONS = [name for name in rbridge.__all__ if inspect.isfunction(getattr(rbridge, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_example_is_true(r, name):
    text = inspect.getdoc(getattr(r, name)).replace("# doctest: +SKIP", "")
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    told: list[str] = []
    result = doctest.DocTestRunner().run(example, out=told.append)
    assert result.attempted > 0
    assert result.failed == 0, "".join(told)
