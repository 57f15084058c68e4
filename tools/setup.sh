#!/usr/bin/env bash
# Installs what landmarker needs to be built, tested and checked, and only what is missing.
#
#   tools/setup.sh [PACKAGE ...]      further R packages to have, such as roxygen2
#   tools/setup.sh tidymodels         packages of tidymodels alone, into build/tidymodels (minutes)
#
# As root where there is apt-get: the distribution's binary packages, which is quick.
# Otherwise, and for what the distribution lacks or has too old: from the CRAN mirror that
# R is set up with, into .lib in the repository.

set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*" >&2; }
has() { command -v "$1" >/dev/null 2>&1; }

has Rscript || { say 'R is not installed (on Debian: apt-get install r-base-core r-recommended).'; exit 1; }

export R_LIBS="$PWD/.lib${R_LIBS:+:$R_LIBS}"
mkdir -p .lib

# Whether all of some R packages are there and load.
load() {
  Rscript -e 'quit(status = !all(vapply(commandArgs(TRUE), requireNamespace, NA, quietly = TRUE)))' "$@"
}

# from_cran LIBRARY PACKAGE ...: from the CRAN mirror of R. The status is 3 where none is reachable.
from_cran() {
  Rscript -e '
    to <- commandArgs(TRUE)
    repos <- getOption("repos")
    if (is.null(repos)) repos <- c(CRAN = "@CRAN@")
    repos[repos == "@CRAN@"] <- "https://cloud.r-project.org"
    options(repos = repos, timeout = max(300, getOption("timeout")))
    if (nrow(suppressWarnings(available.packages())) == 0) quit(status = 3)
    install.packages(to[-1], lib = to[1], Ncpus = 2)
  ' "$@"
}

# Current packages of tidymodels need newer ones of rlang, vctrs and others than Debian 12 has. They get a
# library of their own, so that all else is tested with those of the distribution.
if [ "$*" = tidymodels ]; then
  names=(parsnip dials workflows tune rsample yardstick)
  export R_LIBS="$PWD/build/tidymodels:$R_LIBS"
  mkdir -p build/tidymodels
  load "${names[@]}" >/dev/null 2>&1 && exit
  say 'installing packages of tidymodels from CRAN into build/tidymodels, which takes some minutes'
  log=$(mktemp)
  status=0
  from_cran build/tidymodels "${names[@]}" >"$log" 2>&1 || status=$?
  [ $status != 3 ] || { say 'no CRAN mirror is reachable: tests with tidymodels are skipped.'; exit; }
  load "${names[@]}" >>"$log" 2>&1 && exit
  tail -n 40 "$log" >&2
  say "could not install packages of tidymodels (the whole log: $log)"
  exit 1
fi

apt=false
if has apt-get && [ "$(id -u)" = 0 ]; then apt=true; fi

# The packages of DESCRIPTION that are missing, too old or broken, one a line. $1 is `all`; `needed`, without
# which nothing works; or `cran`: these, and mirai and nanoparquet, which Debian 12 lacks and which compile in a
# minute each. Other packages are not worth compiling: tests and pages that use them are skipped.
missing_packages() {
  Rscript -e '
    asked <- commandArgs(TRUE)
    fields <- read.dcf("DESCRIPTION", c("Imports", "Suggests"))
    entries <- trimws(unlist(strsplit(c(fields, asked[-1]), ",")))
    names <- sub("[ (].*", "", gsub("\n", " ", entries))
    least <- ifelse(grepl(">=", entries), gsub(".*>=\\s*|\\s*\\).*", "", entries), "0")
    imports <- sub("[ (].*", "", strsplit(fields[1], ",\\s*")[[1]])
    needed <- c(imports, asked[-1], "knitr", "MASS", "nnet", "testthat", "withr")
    if (nzchar(Sys.which("pandoc"))) needed <- c(needed, "rmarkdown")
    if (asked[1] != "needed") needed <- c(needed, "mirai", "nanoparquet")
    shipped <- rownames(installed.packages(.Library, priority = "high", noCache = TRUE))
    fine <- function(name, least) {
      tryCatch({
        if (packageVersion(name) < least) stop("too old")
        if (name %in% setdiff(needed, shipped)) loadNamespace(name)
        TRUE
      }, error = function(e) FALSE)
    }
    wanted <- asked[1] == "all" | names %in% needed
    writeLines(names[wanted & !mapply(fine, names, least)])
  ' "$@"
}

# What the linker needs beside a compiler is in packages of its own on Debian and Ubuntu: R is
# built there against the shared BLAS and LAPACK, whose links for developers do not come with it.
missing_tools() {
  has make || echo make
  has cc || has gcc || echo gcc
  has g++ || echo g++
  has ar || echo binutils
  [ -e /usr/include/stdlib.h ] || echo libc6-dev
  local cc=gcc
  has gcc || cc=cc
  has "$cc" || { echo gfortran libblas-dev liblapack-dev; return; }
  [ "$("$cc" -print-file-name=libblas.so)" != libblas.so ] || echo libblas-dev
  [ "$("$cc" -print-file-name=liblapack.so)" != liblapack.so ] || echo liblapack-dev
  # gfortran keeps this one in the compiler's own folder, which gcc searches too.
  [ "$("$cc" -print-file-name=libgfortran.so)" != libgfortran.so ] || echo gfortran
}

# Tests make locales of their own from the descriptions in `locales`. `R CMD check` wants HTML Tidy for the help
# pages, qpdf for pictures and manuals, and the smallest LaTeX that sets the manual (140 MB, half a minute).
# pngquant makes the pictures of the vignettes smaller.
missing_for_check() {
  has pandoc || echo pandoc
  has qpdf || echo qpdf
  has tidy || echo tidy
  has pngquant || echo pngquant
  [ -d /usr/share/i18n/locales ] || echo locales
  # Some tests of the core are also built for 32 bits.
  if [ "$(uname -m)" = x86_64 ]; then
    has i686-linux-gnu-gcc || echo gcc-i686-linux-gnu libc6-dev-i386-cross
    has qemu-i386 || echo qemu-user
  fi
  { has pdflatex && has kpsewhich && kpsewhich ptmr8t.tfm >/dev/null; } ||
    echo texlive-latex-base texlive-fonts-recommended
}

# The package of Debian and Ubuntu that has an R package.
deb_of() {
  case $1 in
    DelayedArray | HDF5Array | rhdf5 | SingleCellExperiment | SummarizedExperiment) echo "r-bioc-${1,,}" ;;
    dials | mirai | nanoparquet | parsnip) ;; # not in Debian 12
    *) echo "r-cran-${1,,}" ;;
  esac
}

if $apt; then
  debs=$(missing_tools | xargs)
  debs+=" $(missing_for_check | xargs)"
  # `make site` opens its pages in a browser.
  if [ "$*" = pkgdown ] && ! has chromium; then debs+=' chromium'; fi
  names=$(missing_packages all "$@")
  for name in $names; do debs+=" $(deb_of "$name")"; done
  debs=$(xargs <<<"$debs")
  if [ -n "$debs" ]; then
    say "installing" $debs
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    get=(apt-get -qq -o DPkg::Lock::Timeout=120)
    "${get[@]}" update >"$log" 2>&1 || { cat "$log" >&2; say 'apt-get update failed.'; }
    # One name that the distribution does not know would keep the others out.
    debs=$(xargs -n 1 <<<"$debs" | { grep -Fxf <(apt-cache pkgnames) || true; } | xargs)
    "${get[@]}" install -y --no-install-recommends $debs >"$log" 2>&1 ||
      { tail -n 40 "$log" >&2; say 'apt-get could not install all of them.'; }
    rm -f "$log"
  fi
elif has apt-get; then
  debs=$(missing_tools | xargs)
  [ -z "$debs" ] || say "if the package does not compile, ask for: apt-get install $debs"
fi

names=$(missing_packages cran "$@")
if [ -n "$names" ]; then
  say "installing from CRAN into .lib, which takes a few minutes:" $names
  log=$(mktemp)
  # testthat needs fs, and that libuv, which it can bring itself where there is cmake.
  if $apt && [[ " $names " == *[[:space:]]testthat[[:space:]]* ]]; then
    apt-get -qq install -y --no-install-recommends libuv1-dev >"$log" 2>&1 || true
  elif has cmake; then
    export USE_BUNDLED_LIBUV=1
  fi
  from_cran .lib $names >"$log" 2>&1 || true
  names=$(missing_packages needed "$@")
  if [ -n "$names" ]; then
    tail -n 40 "$log" >&2
    say "could not install:" $names "(the whole log: $log)"
    if has apt-get; then say "an administrator can: apt-get install$(printf ' r-cran-%s' ${names,,})"; fi
    exit 1
  fi
  rm -f "$log"
fi
