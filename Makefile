# make                    build everything
# make test               set up the machine, then formatting, lints and the tests: the fixed share of their matrix
# make test-all           the same with the whole matrix (tests/src/share.rs says what that is)
# make newer-clang        install a clang that knows _Float16, for the tests, unless there is one
# make clang-openmp       install clang's omp.h, for the tests, unless it is there
# make opencl             install PoCL, OpenCL on CPU cores, for the tests, unless there is some OpenCL
# make ptxas              fetch NVIDIA's assembler into the target directory, for the tests
# make stress MINUTES=60  hostile use, for that time (JOBS=…, SEED=…, PART=…)
# make demo               set up the machine, then compile and run the heat example
# make install PREFIX=…   bin/accrue, lib/accrue, include/accrue (default: /usr/local)

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.PHONY: all setup newer-clang clang-openmp opencl ptxas test test-all stress demo install uninstall

PREFIX ?= /usr/local
DESTDIR ?=
CARGO ?= cargo
TARGET := $(or $(CARGO_TARGET_DIR),target)
RELEASE := $(TARGET)/release
NAMES := accrue-cc accrue-c++ accrue-fc

all:
	$(CARGO) build --release --workspace

AS_ROOT := $(if $(filter-out 0,$(shell id -u)),sudo)
APT_UPDATE := $(AS_ROOT) apt-get update -qq
APT_INSTALL := $(AS_ROOT) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq

# What building and testing need: a program, or a file when it begins with /, and the package that has it.
NEEDS := gcc:gcc /usr/include/stdio.h:libc6-dev clang:clang python3:python3 pip3:python3-pip cmake:cmake autoconf:autoconf \
	readelf:binutils ps:procps

setup:
	@missing=; \
	for need in $(NEEDS); do \
	    what=$${need%%:*}; package=$${need#*:}; \
	    case $$what in \
	        /*) [ -e "$$what" ] || missing="$$missing $$package" ;; \
	        *) command -v "$$what" >/dev/null || missing="$$missing $$package" ;; \
	    esac; \
	done; \
	if [ -n "$$missing" ]; then \
	    if ! command -v apt-get >/dev/null || { [ -n "$(AS_ROOT)" ] && ! command -v sudo >/dev/null; }; then \
	        echo "please install:$$missing" >&2; exit 1; \
	    fi; \
	    echo "installing:$$missing"; \
	    $(APT_UPDATE); \
	    $(APT_INSTALL) $$missing; \
	fi; \
	command -v $(CARGO) >/dev/null || { echo "please install Rust: https://rustup.rs" >&2; exit 1; }

# Clang 14 is enough for accrue, but has no _Float16. Tests that need it are reported as ignored without a later one.
newer-clang: setup
	@for clang in clang clang-22 clang-21 clang-20 clang-19 clang-18 clang-17 clang-16 clang-15; do \
	    version=$$($$clang -dumpversion 2>/dev/null || true); \
	    if [ "$${version%%.*}" -ge 15 ] 2>/dev/null; then exit 0; fi; \
	done; \
	if command -v apt-get >/dev/null && $(APT_UPDATE); then \
	    for package in clang-16 clang-15; do \
	        if $(APT_INSTALL) $$package; then exit 0; fi; \
	    done; \
	fi; \
	echo "no clang 15 or later: _Float16 will not be tested" >&2

# The device routines of omp.h are tested with gcc's header and library and with clang's, which Debian has in a package of its own.
clang-openmp: setup
	@if echo '#include <omp.h>' | clang -fopenmp -fsyntax-only -x c - 2>/dev/null; then exit 0; fi; \
	if command -v apt-get >/dev/null && $(APT_UPDATE); then \
	    $(APT_INSTALL) libomp-dev; \
	else \
	    echo "please install: clang's omp.h and libomp" >&2; exit 1; \
	fi

# Without a driver of OpenCL, the tests of devices behind it are skipped.
opencl: setup
	@if compgen -G '/etc/OpenCL/vendors/*.icd' >/dev/null; then exit 0; fi; \
	if command -v apt-get >/dev/null && $(APT_UPDATE) && $(APT_INSTALL) pocl-opencl-icd ocl-icd-libopencl1; then exit 0; fi; \
	echo "no driver of OpenCL: devices behind it will not be tested" >&2

# NVIDIA's assembler for PTX: a program in a Python package, unpacked and not installed. Tests that need it are reported as
# ignored without it.
PTXAS_PACKAGE := nvidia-cuda-nvcc-cu12==12.9.86

ptxas: setup
	@if [ -n "$${ACCRUE_PTXAS:-}" ] || [ -x $(TARGET)/ptxas/ptxas ]; then exit 0; fi; \
	mkdir -p $(TARGET)/ptxas; \
	if python3 -m pip download --quiet --disable-pip-version-check --no-deps -d $(TARGET)/ptxas $(PTXAS_PACKAGE); then \
	    python3 -m zipfile -e $(TARGET)/ptxas/*.whl $(TARGET)/ptxas/package; \
	    install -m 755 $(TARGET)/ptxas/package/nvidia/cuda_nvcc/bin/ptxas $(TARGET)/ptxas/ptxas; \
	    rm -rf $(TARGET)/ptxas/package $(TARGET)/ptxas/*.whl; \
	else \
	    echo "no ptxas: PTX will not be assembled" >&2; \
	fi

# The runtime library is built as a library of its own before the tests that link with it.
test: setup newer-clang clang-openmp opencl ptxas
	@echo "== formatting"
	$(CARGO) fmt --all --check
	@echo "== lints"
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings
	@echo "== build"
	$(CARGO) build --workspace --quiet
	@echo "== tests"
	@log=$$(mktemp); code=0; \
	if [ -x $(TARGET)/ptxas/ptxas ]; then export ACCRUE_PTXAS="$${ACCRUE_PTXAS:-$(abspath $(TARGET)/ptxas/ptxas)}"; fi; \
	$(CARGO) test --workspace --no-fail-fast 2>&1 | tee "$$log" || code=$$?; \
	echo "== suites"; \
	grep -E '^ +(Running|Doc-tests) ' "$$log" || true; \
	echo "== failures"; \
	grep -E '^test .* FAILED$$' "$$log" || echo none; \
	awk '/^test result:/ { passed += $$4; failed += $$6; ignored += $$8 } \
	    END { printf "%d passed, %d failed, %d skipped\n", passed, failed, ignored }' "$$log"; \
	rm -f "$$log"; exit $$code

test-all: export ACCRUE_TESTS := all
test-all: test

# Not part of `test`: it takes as long as it is given, and finds what nobody has thought of.
MINUTES ?= 60
JOBS ?= $(shell nproc)

stress: setup
	$(CARGO) build --release --workspace --quiet
	$(CARGO) build --release -p accrue-ptx-sim --example run_ptx --quiet
	if [ -x $(TARGET)/ptxas/ptxas ]; then export ACCRUE_PTXAS="$${ACCRUE_PTXAS:-$(abspath $(TARGET)/ptxas/ptxas)}"; fi; \
	tests/stress/stress.py --accrue $(RELEASE)/accrue --run-ptx $(RELEASE)/examples/run_ptx --minutes $(MINUTES) --jobs $(JOBS) \
	    $(if $(SEED),--seed $(SEED)) $(if $(PART),--part $(PART))

demo: setup
	$(CARGO) build --release --workspace --quiet
	PATH="$(abspath $(RELEASE)):$$PATH" ACCRUE="$(abspath $(RELEASE))/accrue" examples/heat/run.sh

install:
	$(CARGO) build --release --workspace
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/lib/accrue" "$(DESTDIR)$(PREFIX)/include/accrue"
	install -m 755 $(RELEASE)/accrue "$(DESTDIR)$(PREFIX)/bin/accrue"
	for name in $(NAMES); do ln -sf accrue "$(DESTDIR)$(PREFIX)/bin/$$name"; done
	install -m 755 $(RELEASE)/libaccrue.so "$(DESTDIR)$(PREFIX)/lib/accrue/"
	install -m 644 $(RELEASE)/libaccrue.a "$(DESTDIR)$(PREFIX)/lib/accrue/"
	install -m 644 include/*.h "$(DESTDIR)$(PREFIX)/include/accrue/"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/accrue" $(foreach name,$(NAMES),"$(DESTDIR)$(PREFIX)/bin/$(name)")
	rm -rf "$(DESTDIR)$(PREFIX)/lib/accrue" "$(DESTDIR)$(PREFIX)/include/accrue"
