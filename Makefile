# Everything a developer or an operator runs. `make` alone lists it.

PYTHON ?= python3
VENV ?= .venv
PORT ?= 8000
JOBS ?= $(shell nproc)

# A process for each of two cores; one thread computes while others wait for the database. Measured:
# with more than four, the slowest answers come later.
WORKERS := 2
THREADS := 4

BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py

.DELETE_ON_ERROR:
.PHONY: help serve test test-sqlite test-postgresql test-thorough verify-tvm lint benchmark format lock screenshots editor

help:
	@echo "make serve       the registry on http://127.0.0.1:$(PORT); PORT, and what registry/settings.py reads"
	@echo "make test        every test on SQLite, then models, services and API on PostgreSQL; JOBS at once"
	@echo "make test-thorough  the same with more examples and inputs; takes an hour"
	@echo "make verify-tvm  what the real TVM makes of the registry's targets; TVM_VENV, an environment with it"
	@echo "make lint        style, types and layers"
	@echo "make benchmark   speed as ratios: see benchmarks/README.md"
	@echo "make format      rewrite the code in the project's format"
	@echo "make lock        write requirements*.txt from pyproject.toml"
	@echo "make screenshots docs/screenshots, anew from the pages as they are; needs chromium"
	@echo "make editor      the JSON editor of the pages, from editor/; needs node and npm"

serve: $(VENV)/runtime-installed
	@$(MANAGE) check_port -- "$(PORT)"
	$(MANAGE) migrate --verbosity 0
	$(MANAGE) load_catalogue
	$(MANAGE) collectstatic --no-input --verbosity 0
	@echo
	@echo "Target Tag Registry: http://127.0.0.1:$(PORT)/"
	@echo "Try: curl http://127.0.0.1:$(PORT)/api/v1/resolve/arm/soc:aot"
	@echo
	@exec $(BIN)/granian --interface wsgi --no-ws --host 127.0.0.1 --port $(PORT) \
		--workers $(WORKERS) --blocking-threads $(THREADS) --respawn-failed-workers \
		registry.wsgi:application

# As many tests at once as there are cores; a file's tests stay in one process, which keeps what its
# fixtures have built. Both runs take place, so that one look shows all that fails.
PYTEST = $(BIN)/python -m pytest --numprocesses=$(JOBS) --dist=loadfile --no-loadscope-reorder
# The many processes that tests start would compile the registry again and again.
unexport PYTHONDONTWRITEBYTECODE
ON_BOTH := tests/models tests/services tests/api

test: $(VENV)/dev-installed
	@status=0; \
	$(MAKE) --no-print-directory test-sqlite || status=1; \
	$(MAKE) --no-print-directory test-postgresql || status=1; \
	exit $$status

test-sqlite: $(VENV)/dev-installed
	@echo "=== SQLite: all tests ==="
	@env -u DATABASE_URL $(PYTEST) $(TEST_OPTIONS)

test-postgresql: $(VENV)/dev-installed
	@echo "=== PostgreSQL 18: models, services and API, where they depend on the database ==="
	@$(BIN)/python -m tests.postgres -- $(PYTEST) $(TEST_OPTIONS) $(ON_BOTH)

test-thorough: TEST_OPTIONS = --thorough
test-thorough: export TEST_OPTIONS
test-thorough: test

# With CI set, a skipped test fails: here is all that the tests need.
verify-tvm: $(VENV)/dev-installed
	@CI=true $(BIN)/python -m tests.tvm.environment -- $(BIN)/python -m pytest tests/tvm

lint: $(VENV)/dev-installed
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

benchmark: $(VENV)/dev-installed
	@for each in resolve load publish; do $(BIN)/python -m benchmarks.$$each || exit; done

format: $(VENV)/dev-installed
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format

screenshots: $(VENV)/dev-installed
	$(BIN)/python -m tests.web.browser.screenshots

# What the lock file names and nothing else; no package runs a script of its own.
editor:
	cd editor && npm ci --ignore-scripts --no-audit --no-fund && npm run --silent build

# Hashes of every file of every release, for every platform and Python that the project supports.
LOCK = $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-config \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

lock: $(VENV)/dev-installed
	$(LOCK) pyproject.toml --output-file requirements.txt
	$(LOCK) pyproject.toml --group dev --constraint requirements.txt --output-file requirements-dev.txt
	$(LOCK) --group tvm --output-file requirements-tvm.txt

# pip runs again only when the requirements have changed; the file's time is when it last did.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes

$(VENV)/runtime-installed: requirements.txt | $(BIN)/python
	@echo "Installing what the server needs into $(VENV) ..."
	@$(INSTALL) --requirement $<
	@touch $@

# uv takes a fifth of pip's time. Where it finds no index, which pip may know by a configuration of
# its own, pip installs all.
$(VENV)/dev-installed: requirements-dev.txt | $(BIN)/python
	@echo "Installing what the tests need into $(VENV) ..."
	@sed -n '/^uv==/,/[^\\]$$/p' $< > $(VENV)/uv.txt
	@{ $(INSTALL) --requirement $(VENV)/uv.txt && $(BIN)/uv pip install --quiet --no-config \
		--python $(BIN)/python --compile-bytecode --require-hashes --requirement $<; } \
		|| $(INSTALL) --requirement $<
	@touch $@ $(VENV)/runtime-installed

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("The registry needs Python 3.11 or newer; $(PYTHON) is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
