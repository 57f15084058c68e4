# `R CMD check --as-cran` of a tarball with its tests, in the way CRAN runs it.
#
#   Rscript tools/check.R landmarker_0.1.0.tar.gz       `make check` builds the tarball and calls this
#
# The status is 0 only where there is no error, no warning, and no note but those of `allowed` below, each
# with its reason. CHECK_REMOTE=true looks up what CRAN looks up: links, the time, other packages. By default
# nothing is looked up, so that the check is the same on a machine without a network.

# A part of 00check.log is named after `* checking`. A note passes where each of its lines fits a pattern.
allowed <- list(
  list(
    part = "CRAN incoming feasibility",
    lines = c("^Maintainer: ", "^New submission$", "^NB: need Internet access"),
    reason = "the package is not on CRAN yet, and the owner is asked for the maintainer"
  ),
  list(
    part = "package dependencies",
    lines = "^Packages? (which this enhances|suggested) but not available for checking:",
    reason = "a suggested package is not on this machine, such as dials, which Debian 12 lacks"
  ),
  list(
    part = "for future file timestamps",
    lines = "^unable to verify current time",
    reason = "the time is looked up on the network"
  ),
  list(
    part = "compilation flags used",
    lines = c(
      "^Compilation used the following non-portable flag",
      "^  ‘-(Wdate-time|Werror=format-security|Wformat)’",
      "^including flag\\(s\\) suppressing warnings"
    ),
    reason = "Debian's R compiles every package with these flags, which are not the package's"
  ),
  list(
    part = "HTML version of manual",
    lines = "^Skipping checking (HTML validation|math rendering): ",
    reason = "HTML Tidy or package V8 is not on this machine"
  )
)

# The parts of a log: name, status, and the lines below the heading.
log_parts <- function(lines) {
  starts <- grep("^\\* checking ", lines)
  ends <- c(starts[-1], length(lines) + 1) - 1
  Map(function(start, end) {
    below <- lines[seq_len(end - start) + start]
    # The status stands at the end of the heading, or on a line of its own after what a step has printed.
    text <- trimws(c(sub("^.* \\.\\.\\. ?", "", lines[start]), below[!grepl("^\\*", below)]))
    status <- c("ERROR", "WARNING", "NOTE")
    found <- match(sub("^(\\[[^]]*\\] ?)", "", text), status)
    list(
      name = sub("^\\* checking (.*?) \\.\\.\\..*$", "\\1", lines[start], perl = TRUE),
      status = c(status[found[!is.na(found)]], "OK")[1],
      lines = below[!grepl("^(\\*|Status:|\\s*$)", below) & !trimws(below) %in% status &
        !grepl("^ ?\\[[0-9]+s/[0-9]+s\\]", below)]
    )
  }, starts, ends)
}

# Examples of up to 5 seconds of the processor pass, whatever the clock says: the machine may do other work.
without_quick_examples <- function(lines) {
  number <- " +([0-9.]+)"
  row <- paste0("^.*[^0-9.]", number, number, number, "$")
  is_row <- grepl(row, lines)
  busy <- as.numeric(sub(row, "\\1", lines[is_row])) + as.numeric(sub(row, "\\2", lines[is_row]))
  slow <- lines[is_row][busy > 5]
  if (length(slow)) c(slow, lines[!is_row]) else character()
}

# The lines of a note that no entry of `allowed` takes. An error or a warning is never allowed.
not_allowed <- function(part) {
  if (part$name == "examples" && part$status == "NOTE") return(without_quick_examples(part$lines))
  if (part$status == "OK") return(character())
  if (part$status != "NOTE") return(c(part$lines, part$status))
  for (entry in allowed) {
    if (entry$part == part$name) {
      fits <- grepl(paste(entry$lines, collapse = "|"), part$lines)
      # What a pattern takes may go on in indented lines.
      left <- part$lines[!fits & !(grepl("^  ", part$lines) & cumsum(fits) > 0)]
      return(left)
    }
  }
  c(part$lines, part$status)
}

judge <- function(log) {
  lines <- readLines(log, encoding = "UTF-8", warn = FALSE)
  if (!any(startsWith(lines, "Status:"))) return("The check did not come to its end.")
  found <- lapply(log_parts(lines), function(part) {
    left <- not_allowed(part)
    if (length(left)) return(c(paste0(part$status, ": ", part$name), paste0("  ", left)))
    if (part$status == "NOTE") {
      entry <- Filter(function(entry) entry$part == part$name, allowed)
      reason <- if (length(entry)) entry[[1]]$reason else "by the clock, on a machine that does other work"
      cat("A note that is allowed: ", part$name, " (", reason, ").\n", sep = "")
    }
  })
  as.character(unlist(found))
}

# R asks for CRAN's own list of packages where a suggested package is missing. An empty one stands in for it.
stand_in <- function(folder) {
  dir.create(file.path(folder, "web", "packages"), recursive = TRUE)
  empty <- data.frame(Package = character(), Maintainer = character())
  saveRDS(empty, file.path(folder, "web", "packages", "packages.rds"))
  paste0("file://", folder)
}

check_tarball <- function(tarball) {
  # As on CRAN: tests that skip_on_cran() are skipped, and two processes at most.
  Sys.unsetenv(c("NOT_CRAN", "CI"))
  Sys.setenv(`_R_CHECK_FORCE_SUGGESTS_` = "false", `_R_CHECK_LIMIT_CORES_` = "true")
  if (Sys.getenv("CHECK_REMOTE") != "true") {
    Sys.setenv(`_R_CHECK_CRAN_INCOMING_REMOTE_` = "false", R_CRAN_WEB = stand_in(tempfile("cran")))
  }
  # A container has no service that R could ask for the time zone.
  if (!nzchar(Sys.getenv("TZ"))) Sys.setenv(TZ = "UTC")
  options <- "--as-cran"
  if (nzchar(Sys.which("pdflatex"))) {
    # The manual's typewriter font is in a package of 1.5 GB. Without it the manual has another.
    font <- system2("kpsewhich", "zi4.sty", stdout = FALSE, stderr = FALSE)
    if (font != 0) Sys.setenv(R_RD4PDF = "times,hyper")
  } else {
    cat("LaTeX is not installed: the manual is left out (tools/setup.sh has the names of its packages).\n")
    options <- c(options, "--no-manual")
  }
  if (!nzchar(Sys.which("pandoc"))) options <- c(options, "--ignore-vignettes")
  system2(file.path(R.home("bin"), "R"), c("CMD", "check", options, shQuote(tarball)))
  judge(file.path(paste0(sub("_.*", "", basename(tarball)), ".Rcheck"), "00check.log"))
}

# Sourced by a test, it only defines the functions.
if (sys.nframe() == 0) {
  left <- check_tarball(commandArgs(TRUE)[1])
  if (length(left)) {
    writeLines(c("", "The check found what is not allowed (see tools/check.R):", left))
    quit(status = 1)
  }
  cat("The check is as it has to be.\n")
}
