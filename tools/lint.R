# R sources against the rules of .lintr, and the packages that tests name against DESCRIPTION: prints what
# differs. The status is 1 if anything does.
#
#   Rscript tools/lint.R          from the top of the repository; `make lint` does

if (!requireNamespace("lintr", quietly = TRUE)) {
  cat("lintr is not here: the R sources are not checked.\n")
  quit()
}
places <- c("R", "tests", "tests/testthat", "bench", "evidence", "tools", "data-raw")
files <- Sys.glob(file.path(places, "*.R"))
found <- unlist(lapply(files, lintr::lint), recursive = FALSE)
for (one in found) {
  file <- sub(paste0(getwd(), "/"), "", one$filename, fixed = TRUE)
  cat(file, ":", one$line_number, ": ", one$message, "\n", sep = "")
}

# R CMD check finds packages that are not declared only where it can read the lists of CRAN and Bioconductor.
ignored <- readLines(".Rbuildignore")
tests <- Sys.glob("tests/testthat/*.R")
in_tarball <- !vapply(tests, function(file) any(vapply(ignored, grepl, NA, file, perl = TRUE)), NA)
named <- tools:::.check_packages_used_helper(read.dcf("DESCRIPTION")[1, ], tests[in_tarball])
undeclared <- unique(unlist(named[c("others", "imports", "data")]))
if (length(undeclared)) {
  cat("Tests in the tarball name packages that DESCRIPTION does not:", undeclared, fill = TRUE)
}

# What scripts take from inside the package must be there: some would fail after an hour.
lines_of <- function(files) unlist(lapply(files, readLines, encoding = "UTF-8"))
defined <- sub(" *<-.*", "", grep("^[[:alnum:]._]+ <-", lines_of(Sys.glob("R/*.R")), value = TRUE))
init <- lines_of("src/init.c")
entries <- unlist(regmatches(init, gregexpr("(?<=ENTRY\\()[a-z_]+(?=,)", init, perl = TRUE)))
folders <- c("bench", "evidence", "tools", "vignettes")
scripts <- list.files(folders, "\\.R(md)?$", recursive = TRUE, full.names = TRUE)
absent <- unlist(lapply(scripts, function(file) {
  lines <- lines_of(file)
  inner <- unlist(regmatches(lines, gregexpr("(?<=landmarker:::)[A-Za-z_.0-9]+", lines, perl = TRUE)))
  inner <- setdiff(inner, c(defined, paste0("C_", entries)))
  if (length(inner)) paste0(file, ": there is no landmarker:::", inner)
}))
writeLines(as.character(absent))

# Other versions see some lines otherwise.
strict <- utils::packageVersion("lintr") < "3.1"
if (!strict) cat("lintr is not of version 3.0: what it finds does not fail.\n")
quit(status = if (strict && length(found) + length(undeclared) + length(absent) > 0) 1 else 0)
