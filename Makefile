# make demo   the main job: an analysis of real data        make test   everything CI checks
# Each makes its own environment in .venv; python3 (3.11 or newer) is all they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check bench docs clean

demo: $(VENV)/.installed
	$(BIN)/rocstats demo

test: check $(VENV)/.developer
	$(BIN)/python -m pytest -n 2

check: $(VENV)/.developer
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.developer
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.resampling

docs: $(VENV)/.developer
	$(BIN)/python docs/calibration.py
	$(BIN)/python docs/size.py

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.developer: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
