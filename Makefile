# Everything a developer or an operator runs. `make` alone lists it.

PYTHON ?= python3
VENV ?= .venv
PORT ?= 8000

# A process for each of two cores; one thread computes while others wait for the database. Measured:
# with more than four, the slowest answers come later.
WORKERS := 2
THREADS := 4

BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py

.DELETE_ON_ERROR:
.PHONY: help serve test test-postgresql test-outside verify-tvm lint benchmark format lock screenshots editor

help:
	@echo "make serve       the registry on http://127.0.0.1:$(PORT); PORT, and what registry/settings.py reads"
	@echo "make test        every test on SQLite, then models, services and API on PostgreSQL"
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

# Three runs beside each other, since each waits now and then; all of each takes place, so that one
# look shows all that fails.
test: $(VENV)/dev-installed
	@status=0; said=$$(mktemp); \
	$(MAKE) --no-print-directory --keep-going --jobs=2 --output-sync=target \
		test-postgresql test-outside > "$$said" 2>&1 & \
	other=$$!; \
	trap 'kill $$other 2> /dev/null; rm -f "$$said"' EXIT; trap 'exit 130' INT TERM; \
	echo "=== SQLite: all tests but those with a browser or compilers ==="; \
	env -u DATABASE_URL $(BIN)/python -m pytest --ignore=tests/web/browser --ignore=tests/real \
		|| status=1; \
	wait $$other || status=1; \
	echo; \
	cat "$$said"; \
	exit $$status

test-postgresql:
	@echo "=== PostgreSQL 18: models, services and API ==="
	@$(BIN)/python -m tests.postgres -- \
		$(BIN)/python -m pytest tests/models tests/services tests/api

test-outside:
	@echo "=== SQLite: the browser, the compilers ==="
	@env -u DATABASE_URL $(BIN)/python -m pytest tests/web/browser tests/real

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

$(VENV)/dev-installed: requirements-dev.txt | $(BIN)/python
	@echo "Installing what the tests need into $(VENV) ..."
	@$(INSTALL) --requirement $<
	@touch $@ $(VENV)/runtime-installed

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("The registry needs Python 3.11 or newer; $(PYTHON) is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
