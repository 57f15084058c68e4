# Everyday work on landmarker. `make` alone lists what there is.
#
# The package and whatever it needs from CRAN are installed into .lib, here in the
# repository, so that nothing of the user's own R is touched (as root on Debian or
# Ubuntu, `make setup` takes the distribution's packages instead).

SHELL := /bin/sh

export R_LIBS := $(CURDIR)/.lib$(if $(R_LIBS),:$(R_LIBS))

# A bare container has no locale at all: messages and snapshots are UTF-8.
ifeq ($(LC_ALL)$(LC_CTYPE)$(LANG),)
export LC_ALL := C.UTF-8
endif

C_FILES = $(wildcard src/*.[ch] src/core/*/*.[ch] tests/core/*.[ch] tests/fuzz/*.h bench/*.c)

.PHONY: help setup install demo test test-all check bench evidence sanitize document site format lint clean
.NOTPARALLEL:

help:      ## this list
	@sed -n 's/^\([a-z0-9-]*\): [^#]*## /\1\t/p' Makefile | expand -t 12

setup:     ## install what is missing (quiet and immediate if nothing is)
	@tools/setup.sh

# What is installed, with the folders, whose time changes if a file is deleted.
SOURCES = DESCRIPTION NAMESPACE $(shell find R data inst man src ! -name '*.o' ! -name '*.so')

install: .lib/landmarker/DESCRIPTION     ## build the package and install it into .lib, if it has changed

# From a source package, as a user would get it: no object files are left in src/.
.lib/landmarker/DESCRIPTION: $(SOURCES) | setup
	@mkdir -p .lib build && rm -rf build/install && mkdir build/install
	@cd build/install && R CMD build --no-build-vignettes --no-manual --no-resave-data ../.. >build.log 2>&1 \
	  || { cat build.log; exit 1; }
	@cd build/install && MAKEFLAGS=-j2 R CMD INSTALL --library=../../.lib *.tar.gz >install.log 2>&1 \
	  || { cat install.log; exit 1; }
	@grep 'warning:' build/install/install.log || true

demo: install     ## a first look: landmarks of real data, into demo-output/
	Rscript tools/demo.R

test: install     ## the tests, of R and of the C core (minutes); ends in "N passed, N failed, N skipped"
	@Rscript tools/test.R

test-all: install     ## all the tests, with what takes long: more seeds, parts, kinds and draws
	@LANDMARKER_TESTS=all Rscript tools/test.R

# Vignettes need pandoc. `_R_CHECK_DEPENDS_ONLY_=true make check` hides the suggested packages.
check: setup     ## R CMD check --as-cran with the tests: fails on an error, a warning, or an unknown note
	@rm -rf build/check && mkdir -p build/check
	@cd build/check && \
	  if command -v pandoc >/dev/null; then built=; else \
	    echo 'pandoc is not installed: the vignettes are skipped.'; built=--no-build-vignettes; fi && \
	  R CMD build $$built ../.. && Rscript ../../tools/check.R *.tar.gz

# `Rscript bench/bench.R climb busy` runs parts of it. BENCH_LONG=1: what takes long or much memory as well.
bench: install     ## how fast and how good, against other ways and the package before (a few hours)
	Rscript bench/bench.R

# Each script runs alone as well: Rscript evidence/digits.R. Results go to inst/evidence/.
evidence: install     ## what the vignettes report of real data, computed anew (an hour and more)
	@for script in $(filter-out evidence/tools.R,$(wildcard evidence/*.R)); do \
	  echo "## $$script"; Rscript $$script || exit 1; done

sanitize: setup     ## core and package under the address and undefined-behavior sanitizers (ALL=1: all tests, hostile calls)
	@$(MAKE) --no-print-directory -C tests/core sanitize
	@tools/sanitize.sh build
	@tools/sanitize.sh tests/fuzz/gctorture.R 1000 1
	@tools/sanitize.sh tools/sanitized_tests.R $(if $(ALL),all)
	@$(if $(ALL),tools/sanitize.sh tests/fuzz/entries.R)

document: install     ## NAMESPACE and man/ from the comments, by roxygen2
	@tools/setup.sh roxygen2
	Rscript -e 'roxygen2::roxygenise(load_code = "installed")'
	@rm -f src/*.o src/*.so src/core/*/*.o

# Help pages, articles and benchmarks. Nothing is taken from the network, and every link is checked.
site: install     ## the package's site into build/site, by pkgdown (minutes: examples and vignettes run)
	@tools/setup.sh pkgdown
	Rscript tools/site.R

format:     ## lay out the C sources as .clang-format says
	clang-format -i $(C_FILES)

# clang-format 14 and lintr 3.0, as Debian 12 has them; other versions see some lines otherwise.
lint:     ## layout of the C sources, compiler warnings, rules of the R sources, calls between files
	@tools/setup.sh igraph lintr
	@if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then \
	  clang-format --dry-run -Werror $(C_FILES); \
	else echo 'clang-format 14 is not here: the layout of the C sources is not checked.'; fi
	@$(MAKE) --no-print-directory -C tests/core warnings
	@Rscript tools/rooms.R
	@Rscript tools/lint.R

clean:     ## remove what was built, but not .lib
	rm -rf build demo-output
	rm -f src/*.o src/*.so src/*.dll src/core/*/*.o
	@if [ -f tests/core/Makefile ]; then $(MAKE) --no-print-directory -C tests/core clean; fi
