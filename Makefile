# make demo   the main job: a report of real data (rocstats-demo.html)     make test   everything CI checks
# make docs   the site, in build/site/index.html                                make evidence   its simulations again
# make floors  the tests with the lowest versions that pyproject.toml declares, in .venv-floors
# make bench   rocstats beside other packages, each answer checked, into docs/evidence/speed.md
# make ratios  what others do not do, as ratios to np.sort     make instructions   of ten core calls, counted
# make mutants N=60 SEED=1 ROOMS="curves data" JOBS=2   do the tests notice a wrong program? (docs/evidence/mutants.md)
# Each makes its own environment in .venv; python3 (3.11 or newer) is all they need. For the tests, R and
# pROC, Java for Weka and Spark, and Postgres are installed where apt-get may be used; what needs an absent one is skipped.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
FLOORS := .venv-floors
PEERS := .venv-peers
APART := data/test_engines.py reports/test_report_browser.py rbridge papers test_architecture.py test_docstrings.py \
  test_defaults.py test_distribution.py test_site.py test_schemas.py cli/test_recorded_commands.py \
  validation/test_validation_data.py validation/test_anomalies.py

.PHONY: demo test check validate freeze manifest bench docs house clean

demo: $(VENV)/.installed
	$(BIN)/rocstats demo -o rocstats-demo.html

test: check $(VENV)/.developer
	$(BIN)/python -m pytest -n 2

# Here numpy computes without the compiled kernel, but for the test of both.
# What asks no library that has a floor, and what needs R or a browser, is tested by make test alone.
.PHONY: floors
floors: $(FLOORS)/.installed
	ROCSTATS_KERNEL=0 $(FLOORS)/bin/python -m pytest -n 2 -m "not slow" $(addprefix --ignore=tests/,$(APART))
	$(FLOORS)/bin/python -m pytest -n 2 tests/engine/test_compiled.py

check: $(VENV)/.developer
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

validate: $(VENV)/.developer
	$(BIN)/rocstats validate --with-r -o validation.html

freeze: $(VENV)/.developer
	$(BIN)/python -m validation --freeze

manifest: $(VENV)/.developer
	$(BIN)/python -m validation --manifest

N ?= 60
SEED ?= 1
JOBS ?= 2
.PHONY: mutants
mutants: $(VENV)/.developer
	$(BIN)/python tools/mutants.py -n $(N) --seed $(SEED) --jobs $(JOBS) --rooms "$(ROOMS)"

# Speed beside other packages, in an environment of its own: docs/evidence/speed.md. On a quiet machine
# about ten minutes, and no sample is begun after twelve (--minutes); make bench BENCH="--sizes 1e3,1e4
# --few --check" for less, and to fail behind a bar.
BENCH ?= --write --starts
bench: $(PEERS)/.installed
	$(PEERS)/bin/python -m benchmarks $(BENCH)

# What no other package does, as ratios to np.sort within one run, and memory.
.PHONY: ratios
ratios: $(VENV)/.developer
	$(BIN)/python -m benchmarks.ratios
	$(BIN)/python -m benchmarks.resampling
	$(BIN)/python -m benchmarks.bench
	$(BIN)/python -m benchmarks.growth
	$(BIN)/python -m benchmarks.twosample
	$(BIN)/python -m benchmarks.measures
	$(BIN)/python -m benchmarks.report
	$(BIN)/python -m benchmarks.reader_studies
	$(BIN)/python -m benchmarks.survival

# The instructions of ten core calls against those in benchmarks/instructions.json.
.PHONY: instructions
instructions: $(VENV)/.developer
	$(BIN)/python -m benchmarks.instructions

# The site, in build/site; notebooks run, nothing is fetched, and a warning is an error.
docs: $(VENV)/.developer
	$(BIN)/python -m sphinx -W --keep-going -q -j auto -d build/doctrees docs build/site

# The pages of evidence again, by their scripts: hours.
.PHONY: evidence
evidence: $(VENV)/.developer
	for page in docs/evidence/*.py; do $(BIN)/python $$page || exit 1; done
	$(BIN)/python docs/reference/report_options.py
	$(BIN)/python docs/reference/schemas.py
	$(BIN)/python docs/gallery/gallery.py

house: $(VENV)/.installed
	$(BIN)/python tools/house.py

KERNEL := hatch_build.py rocstats/data/_kernel.c
$(VENV)/.installed: pyproject.toml $(KERNEL)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.developer: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	tools/install-r $(BIN)/python
	tools/install-weka $(BIN)/python
	tools/install-browser
	tools/install-postgres
	touch $@

$(FLOORS)/.installed: pyproject.toml constraints/floors.txt $(KERNEL)
	$(PYTHON) -m venv $(FLOORS)
	$(FLOORS)/bin/python -m pip install --quiet --constraint constraints/floors.txt --editable ".[test]"
	touch $@

$(PEERS)/.installed: pyproject.toml $(KERNEL)
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --editable ".[bench]"
	$(PEERS)/bin/python -m pip install --quiet --no-deps cnsplots  # one module of it, which needs no more
	touch $@

clean:
	rm -rf $(VENV) $(FLOORS) $(PEERS) validation.html rocstats-demo.html build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .mutants
