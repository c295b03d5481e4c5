# Commands for developers and operators. `make` alone lists them.

PYTHON ?= python3
VENV ?= .venv
PORT ?= 8000
JOBS ?= $(shell nproc)

BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py

.DELETE_ON_ERROR:
.PHONY: help serve test test-sqlite test-postgresql test-quick test-system test-thorough test-pythons compile verify-tvm proofs compilers lint benchmark race stress format lock sbom release reference screenshots editor

help:
	@echo "make serve          run the registry on http://127.0.0.1:$(PORT); set PORT, and the settings in README.md"
	@echo "make test           run all tests on SQLite, and on PostgreSQL what depends on it; set JOBS, by default the number of cores"
	@echo "make test-quick     run the fast tests of what has changed since COMMIT, for a minute at most"
	@echo "make test-system    run the tests that start whole systems, which make test leaves out; takes ten minutes"
	@echo "make test-thorough  the same with more examples and inputs, and all compilers; takes an hour"
	@echo "make verify-tvm     compare the registry's targets with the real TVM; set TVM_VENV to its environment"
	@echo "make proofs         record how far TVM, clang and IREE get with each tag; needs clang"
	@echo "make compilers      list what other compilers change in the catalogue; set TVM, IREE, LLVM, TAGS"
	@echo "make lint           check style, types and layers"
	@echo "make benchmark      measure performance; see benchmarks/README.md"
	@echo "make race           compare the registry with its peers; writes docs/performance.md"
	@echo "make stress         inject faults into a registry of its own, or load it with SCENARIO=crowd; set MINUTES, DATABASE, SEED, TAGS"
	@echo "make format         format the code"
	@echo "make lock           write requirements*.txt from pyproject.toml"
	@echo "make sbom           write the bills of materials of a release into SBOM, by default var/sbom"
	@echo "make release        build the registry and the client into DIST, by default var/dist; install and try each file"
	@echo "make test-pythons   test the client and the domain on every Python that is installed, and check the others"
	@echo "make reference      write docs/ttag.md from the docstrings of the client"
	@echo "make screenshots    update docs/screenshots; needs chromium"
	@echo "make editor         build the scripts of editor/; needs node and npm"

serve: $(VENV)/runtime-installed
	@exec $(MANAGE) quickstart -- "$(PORT)"

# One process per core, and on SQLite another one, because tests of servers and browsers wait for
# them. Tests of one file share a process and its fixtures.
PYTEST = $(BIN)/python -m pytest --dist=loadfile --no-loadscope-reorder --numprocesses
# Otherwise every process that tests start would compile the registry again.
unexport PYTHONDONTWRITEBYTECODE
# Only pages, the admin and commands call some services.
ON_BOTH := tests/models tests/services tests/api tests/admin tests/management tests/web/core/test_roles.py \
	tests/stale_answers tests/releases tests/server/test_revisions_postgresql.py tests/database/test_deadlines.py \
	tests/docs/test_postgresql.py tests/catalogue_tools/test_table_impact.py

# Fails if no test calls some function of a service, as those of whole systems do not.
CALLS = $(if $(findstring --system,$(TEST_OPTIONS)),,-p tests.service_calls)

# Both at once, because many tests wait for servers. One fails only after the other is done.
test: $(VENV)/dev-installed
	@echo "Testing on both databases. The output follows when each is done; make test-sqlite shows progress."
	@$(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target test-sqlite test-postgresql

test-sqlite: compile
	@echo "=== SQLite: all tests ==="
	@env -u DATABASE_URL $(PYTEST) $$(($(JOBS) + 1)) $(TEST_OPTIONS)

test-postgresql: compile
	@echo "=== PostgreSQL 18: what depends on the database ==="
	@$(BIN)/python -m tests.postgres -- $(PYTEST) $(JOBS) $(CALLS) $(TEST_OPTIONS) $(ON_BOTH)

test-quick: $(VENV)/dev-installed
	@env -u DATABASE_URL $(BIN)/python -m tests.quick $(COMMIT)

# Before several processes do, each everything.
compile: $(VENV)/dev-installed
	@$(BIN)/python -m tests.compile

# Decision 191: tests of whole systems run apart.
test-system: export TEST_OPTIONS = --system
test-system: test

test-thorough: export TEST_OPTIONS = --thorough
test-thorough: test verify-tvm

# With CI set, a skipped test fails: this environment has everything the tests need.
verify-tvm: $(VENV)/dev-installed
	@CI=true $(BIN)/python -m tests.tvm.environment -- $(BIN)/python -m pytest $(TEST_OPTIONS) tests/tvm

proofs: $(VENV)/dev-installed
	@$(BIN)/python -m tests.tvm.environment -- $(BIN)/python -m tests.tvm.proofs
	@$(BIN)/python -m tests.tvm.environment -- $(BIN)/python -m pytest --thorough tests/tvm/test_agreement.py

compilers: $(VENV)/dev-installed
	@$(BIN)/python -m tests.tvm.environment -- $(BIN)/python -m tests.other_compilers \
		--tvm "$(TVM)" --iree "$(IREE)" --llvm "$(LLVM)" --tags "$(or $(TAGS),*)"

lint: $(VENV)/dev-installed
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	PYTHONPATH=client $(BIN)/lint-imports

benchmark: $(VENV)/dev-installed
	@for name in receiving long_way load publish; do $(BIN)/python -m benchmarks.$$name || exit; done

race: $(VENV)/dev-installed
	@$(BIN)/python -m benchmarks.race

# Faults at random, in an order that SEED repeats, or SCENARIO=crowd with TAGS. See docs/reliability.md.
SCENARIO ?= faults
MINUTES ?= 5
DATABASE ?= sqlite

stress: $(VENV)/dev-installed
ifeq ($(SCENARIO),crowd)
	@$(BIN)/python -m tests.stress.crowd --minutes "$(MINUTES)" --database "$(DATABASE)" $(if $(TAGS),--tags "$(TAGS)")
else
	@$(BIN)/python -m tests.stress --minutes "$(MINUTES)" --database "$(DATABASE)" $(if $(SEED),--seed "$(SEED)")
endif

format: $(VENV)/dev-installed
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format

reference: $(VENV)/dev-installed
	PYTHONPATH=client $(BIN)/python -m tests.docs.reference

screenshots: $(VENV)/dev-installed
	$(BIN)/python -m tests.web.browser.screenshots

# Installs exactly the locked packages, without running their scripts.
# Decision 042: the bundle is checked in, so that only who changes it needs node.
editor:
	cd editor && npm ci --ignore-scripts --no-audit --no-fund && npm run --silent build

# With hashes, for all supported platforms and Python versions.
LOCK = $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-config \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

lock: $(VENV)/dev-installed
	$(LOCK) pyproject.toml --output-file requirements.txt
	$(LOCK) pyproject.toml --group dev --constraint requirements.txt --output-file requirements-dev.txt
	$(LOCK) --group tvm --output-file requirements-tvm.txt

# Needs no packages: it reads the lock files.
SBOM ?= var/sbom

sbom: | $(BIN)/python
	@$(BIN)/python sbom.py "$(SBOM)"

DIST ?= var/dist

release: $(VENV)/dev-installed
	@$(BIN)/python -m tests.release "$(DIST)"

test-pythons: $(VENV)/dev-installed
	@$(BIN)/python -m tests.release.pythons

# The marker file is touched after pip has run, which runs again only if the requirements change.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes

$(VENV)/runtime-installed: requirements.txt | $(BIN)/python
	@echo "Installing the server's requirements into $(VENV) ..."
	@$(INSTALL) --requirement $<
	@touch $@

# uv takes a fifth of pip's time. If it fails, for example because only pip has been configured with
# a package index, pip installs everything.
$(VENV)/dev-installed: requirements-dev.txt | $(BIN)/python
	@echo "Installing the test requirements into $(VENV) ..."
	@sed -n '/^uv==/,/[^\\]$$/p' $< > $(VENV)/uv.txt
	@{ $(INSTALL) --requirement $(VENV)/uv.txt && $(BIN)/uv pip install --quiet --no-config \
		--python $(BIN)/python --compile-bytecode --require-hashes --requirement $<; } \
		|| $(INSTALL) --requirement $<
	@touch $@ $(VENV)/runtime-installed

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("The registry needs Python 3.11 or newer; $(PYTHON) is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
