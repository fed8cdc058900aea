# The same commands for everyone: a person, and .ci/run.
# Each sets up what it needs by itself: a virtual environment in .venv with the package inside, and for all but `play` its tools.

PYTHON ?= python3
BIN := .venv/bin
PLAYING := .venv/playing
READY := .venv/ready
CHECKERS := node_modules/.package-lock.json
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check -e
ROOT := $(shell test "$$(id -u)" = 0 || echo sudo)

.PHONY: play serve test lint lint-pages format bench clean venv venv-of-debian

play: $(PLAYING)              ## a game of Hearts at the terminal
	@$(BIN)/facedown play hearts

serve: $(PLAYING)             ## the arena server on this machine
	@$(INSTALL) '.[server]'
	@$(BIN)/facedown serve

test: lint                    ## lint, types, and the whole test suite
	$(BIN)/pytest

lint: $(READY)                ## formatting, style and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory lint-pages; \
	else echo "no npm here: the JavaScript of the pages is not checked"; fi

lint-pages: $(CHECKERS)       ## style and types of the JavaScript
	node_modules/.bin/eslint --max-warnings 0 .
	node_modules/.bin/tsc

format: $(READY)              ## put the formatting right
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)               ## speed, beside OpenSpiel's
	$(INSTALL) '.[openspiel]'
	$(BIN)/facedown bench --against open-spiel

$(PLAYING): pyproject.toml
	@echo "setting up .venv to play (once, about half a minute) ..."
	@$(MAKE) --no-print-directory venv
	@$(INSTALL) .
	@touch $(PLAYING)

$(READY): pyproject.toml
	@echo "setting up .venv to develop (once, some minutes) ..."
	@$(MAKE) --no-print-directory venv
	@$(INSTALL) '.[dev]'
	@touch $(PLAYING) $(READY)

$(CHECKERS): package-lock.json
	@echo "setting up node_modules to check JavaScript (once, some seconds) ..."
	@npm ci --silent --no-audit --no-fund --ignore-scripts
	@touch $(CHECKERS)

venv:
	@test -x $(BIN)/pip || $(PYTHON) -m venv .venv >/dev/null 2>&1 || $(MAKE) --no-print-directory venv-of-debian

# Debian keeps Python's venv in a package of its own.
venv-of-debian:
	@rm -rf .venv
	@echo "installing Debian's python3-venv ..."
	@$(ROOT) apt-get update -qq && $(ROOT) apt-get install -qq -y python3-venv >/dev/null
	@$(PYTHON) -m venv .venv

clean:                        ## remove what the commands above made
	rm -rf .venv node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis
