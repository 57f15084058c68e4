#!/bin/sh
# The package under the address and undefined-behavior sanitizers, in a library of its own, so that neither
# .lib nor src/ is touched.
#
#   tools/sanitize.sh build          builds it into build/sanitize/lib
#   tools/sanitize.sh FILE.R ...     runs a script with that library; an error of a sanitizer ends it
#
# Small work, too, is shared among two threads there. The copy's `.Call` notes which entry points are called.
# What tests/fuzz/gctorture.R calls finds objects overwritten that the glue has not protected (tests/fuzz/reuse.h).

set -eu
cd "$(dirname "$0")/.."
top=$PWD
folder=$top/build/sanitize

if [ "$1" = build ]; then
  rm -rf "$folder" && mkdir -p "$folder/lib"
  cd "$folder"
  R CMD build --no-build-vignettes --no-manual --no-resave-data ../.. >build.log 2>&1 || { cat build.log; exit 1; }
  tar -xzf ./*.tar.gz
  cp "$top/tools/note_entries.R" landmarker/R/zz_note_entries.R
  flags="-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
  cat >Makevars <<END
CFLAGS = -std=gnu11 $flags -I. -include $top/tests/core/share_all.h -include $top/tests/fuzz/reuse.h
LDFLAGS = $flags
END
  R_MAKEVARS_USER=$folder/Makevars MAKEFLAGS=-j2 R CMD INSTALL --no-test-load --no-docs \
    --library=lib landmarker >install.log 2>&1 || { cat install.log; exit 1; }
  exit 0
fi

# R itself frees little of its memory at its end, and LeakSanitizer does not see what R's heap points to:
# tests/testthat/test-base-compute-memory-lent.R looks for leaks of the package. Memory that cannot be had is R's own error.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
  OMP_NUM_THREADS=2 GOMP_SPINCOUNT=10000
export R_LIBS="$folder/lib${R_LIBS:+:$R_LIBS}"
LD_PRELOAD=$(cc -print-file-name=libasan.so) exec Rscript "$@"
