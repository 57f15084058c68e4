# Calls between the files of R/ go down only, and in no circle. The first word of a file's name is its room.
#
#   Rscript tools/rooms.R       from the top of the repository; `make lint` does. Needs codetools and igraph.

# Rooms that a room may use beside itself.
ground <- c("base", "data", "source", "kernel")
below <- list(
  base = NULL, data = "base", source = c("base", "data"), kernel = c("base", "data", "source"),
  response = c("base", "data"), method = c(ground, "response"), fit = c(ground, "response", "method"),
  use = c(ground, "method", "fit"), embed = c(ground, "fit", "use"),
  cv = c(ground, "response", "method", "fit", "use"),
  plot = c(ground, "response", "fit", "use", "embed", "cv"), parsnip = c("base", "method", "fit"),
  recipe = c(ground, "response", "method", "fit", "use", "embed", "cv", "plot")
)
below$package <- names(below)

# The names that each definition of a file uses.
uses_in <- function(path) {
  definitions <- Filter(
    function(e) is.call(e) && identical(e[[1]], quote(`<-`)) && !is.call(e[[2]]), as.list(parse(path))
  )
  uses <- lapply(definitions, function(e) codetools::findGlobals(eval(call("function", NULL, e[[3]]))))
  names(uses) <- vapply(definitions, function(e) as.character(e[[2]]), "")
  uses
}
paths <- list.files("R", "[.]R$", full.names = TRUE)
uses <- lapply(paths, uses_in)
file_of <- stats::setNames(rep(sub("[.]R$", "", basename(paths)), lengths(uses)), unlist(lapply(uses, names)))
uses <- lapply(do.call(c, uses), intersect, names(file_of))
calls <- data.frame(from = rep(names(uses), lengths(uses)), to = unlist(uses))
calls$from_file <- file_of[calls$from]
calls$to_file <- file_of[calls$to]

room <- function(file) sub("_.*", "", file)
between <- calls[calls$from_file != calls$to_file, ]
allowed <- mapply(function(a, b) a == b || b %in% below[[a]], room(between$from_file), room(between$to_file))
circles <- igraph::components(igraph::graph_from_data_frame(between[c("from_file", "to_file")]), "strong")
round <- names(circles$membership)[circles$csize[circles$membership] > 1]
flaws <- c(
  setdiff(room(unique(file_of)), names(below)), names(file_of)[duplicated(names(file_of))],
  sprintf("%s: %s() uses %s() of %s", between$from_file, between$from, between$to, between$to_file)[!allowed],
  if (length(round)) paste("in a circle:", round)
)
writeLines(flaws)
cat(length(paths), "files,", length(file_of), "definitions,", length(flaws), "flaws\n")
quit(status = as.integer(length(flaws) > 0))
