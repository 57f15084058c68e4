# Added to the copy of the package that tools/sanitize.sh builds: `.Call` notes the names of the entry points
# that are called.

called <- new.env()

.Call <- function(.NAME, ...) {
  called[[.NAME$name]] <- TRUE
  base::.Call(.NAME, ...)
}
