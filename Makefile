# The same commands for everyone: a person, and .ci/run.
# Each sets up what it needs by itself: a virtual environment in .venv, and the package with its tools inside.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: play test lint format bench clean

play: $(READY)                ## a game of Hearts at the terminal
	@$(BIN)/facedown play hearts

test: lint                    ## lint, types, and the whole test suite
	$(BIN)/pytest

lint: $(READY)                ## formatting, style and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(READY)              ## put the formatting right
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)               ## speed, beside OpenSpiel's
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[openspiel]'
	$(BIN)/facedown bench --against open-spiel

$(READY): pyproject.toml
	@echo "setting up .venv (once, about a minute) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(READY)

clean:                        ## remove what the commands above made
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis
