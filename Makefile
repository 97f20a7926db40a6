# The main job is `make report`. Everything runs in .venv, which is set up on first use and again only when
# pyproject.toml or constraints.txt changed. PYTHON=/path/to/python picks the interpreter it is made with.

BIN := .venv/bin
READY := .venv/ready
PROFILE ?= quick
OUT ?= reports/latest
ARGS ?=

.PHONY: help report test lab lint style types contract format reference bench constraints clean

help: ## say what there is to make
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

report: $(READY) ## simulate, evaluate, run the notebooks, say where the page is (PROFILE=quick or full, OUT=folder)
	$(BIN)/starebrain report --profile $(PROFILE) --out "$(OUT)"

test: $(READY) ## run the tests (ARGS="-k contact" for some of them)
	$(BIN)/python -m pytest $(ARGS)

lab: $(READY) ## open JupyterLab on the notebooks
	$(BIN)/jupyter lab --notebook-dir=notebooks $(ARGS)

lint: style types contract ## check style, types and the direction of imports

style: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(READY)
	$(BIN)/mypy

contract: $(READY)
	$(BIN)/lint-imports --no-logo

format: $(READY) ## bring code and notebooks into the house style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	find notebooks -name '*.ipynb' -exec $(BIN)/nbstripout {} +

reference: $(READY) ## rewrite golden files and reports/reference from what the code says now
	$(BIN)/starebrain report --profile quick --out reports/reference
	$(BIN)/python .ci/picture reports/reference/01_confidence_tiers.ipynb reports/report.png
	$(BIN)/python -m pytest --rewrite-golden

bench: $(READY) ## measure speed
	$(BIN)/python -m pytest --benchmark-enable --benchmark-only $(ARGS)

constraints: ## pin the newest versions that fit pyproject.toml (needs Python 3.12 and 3.13)
	.ci/write-constraints constraints.txt

clean: ## remove .venv and everything that was made
	rm -rf .venv build dist out reports/latest *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks

$(READY): pyproject.toml constraints.txt
	@.ci/make-venv .venv
