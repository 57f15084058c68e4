# `R CMD check --as-cran` of a tarball, as CRAN runs it:   Rscript tools/check.R landmarker_0.1.0.tar.gz
#
# The status is 1 if there is an error, a warning, or a note that is not in `allowed`. CHECK_REMOTE=true looks
# up links and other packages on the network as CRAN does; by default the check is the same without a network.
# `_R_CHECK_DEPENDS_ONLY_=true` hides suggested packages.

# Lines of notes by the heading of their part.
allowed <- c(
  # The package is not on CRAN yet.
  "CRAN incoming feasibility" = "^(Maintainer: |New submission$|NB: need Internet access)",
  # Debian 12 lacks some packages, such as dials.
  "package dependencies" = "^(Packages? (which this enhances|suggested) but not available for checking:|  )",
  "for future file timestamps" = "^unable to verify current time",
  # Debian's R compiles every package with these flags.
  "compilation flags used" = paste0(
    "^(Compilation used the following non-portable flag|including flag|",
    "  .-(Wdate-time|Werror=format-security|Wformat))"
  ),
  "HTML version of manual" = "^Skipping checking (HTML validation|math rendering): "
)

lines_left <- function(log) {
  parts <- split(log, cumsum(grepl("^\\* checking ", log)))
  status <- "(^| )(ERROR|WARNING|NOTE)$"
  unlist(lapply(Filter(function(part) any(grepl(status, part)), parts), function(part) {
    name <- sub("^\\* checking (.*?) \\.\\.\\..*$", "\\1", part[1], perl = TRUE)
    is_note <- !any(grepl("(^| )(ERROR|WARNING)$", part))
    below <- part[-1][!grepl(paste0("^(\\*|Status:|\\s*$)|", status), part[-1])]
    if (is_note && name %in% names(allowed)) below <- below[!grepl(allowed[[name]], below)]
    if (!is_note || length(below)) c(part[1], below)
  }))
}

# As on CRAN: tests that skip_on_cran() are skipped, and two processes at most. The machine may do other work.
Sys.unsetenv(c("NOT_CRAN", "CI"))
Sys.setenv(
  `_R_CHECK_FORCE_SUGGESTS_` = "false", `_R_CHECK_LIMIT_CORES_` = "true",
  `_R_CHECK_EXAMPLE_TIMING_THRESHOLD_` = "15"
)
if (!nzchar(Sys.getenv("TZ"))) Sys.setenv(TZ = "UTC")
if (Sys.getenv("CHECK_REMOTE") != "true") {
  # R asks for CRAN's list of packages if a suggested package is missing. An empty one stands in for it.
  web <- tempfile("cran")
  dir.create(file.path(web, "web", "packages"), recursive = TRUE)
  none <- data.frame(Package = character(), Maintainer = character())
  saveRDS(none, file.path(web, "web", "packages", "packages.rds"))
  Sys.setenv(`_R_CHECK_CRAN_INCOMING_REMOTE_` = "false", R_CRAN_WEB = paste0("file://", web))
}
# `R CMD build` has just run the vignettes.
options <- c("--as-cran", if (nzchar(Sys.which("pandoc"))) "--no-vignettes" else "--ignore-vignettes")
if (!nzchar(Sys.which("pdflatex"))) {
  options <- c(options, "--no-manual")
} else if (system2("kpsewhich", "zi4.sty", stdout = FALSE, stderr = FALSE) != 0) {
  # The manual's typewriter font is in a package of 1.5 GB.
  Sys.setenv(R_RD4PDF = "times,hyper")
}
tarball <- commandArgs(TRUE)[1]
system2(file.path(R.home("bin"), "R"), c("CMD", "check", options, shQuote(tarball)))
folder <- paste0(sub("_.*", "", basename(tarball)), ".Rcheck")
log <- readLines(file.path(folder, "00check.log"), encoding = "UTF-8")
left <- if (any(startsWith(log, "Status:"))) lines_left(log) else "The check did not come to its end."
writeLines(as.character(left))
quit(status = as.integer(length(left) > 0))
