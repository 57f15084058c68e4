# The rooms of R/: fails where a file has no room, uses a room that its own may not use, or is in a circle.
#
#   Rscript tools/rooms.R          from the top of the repository; `make rooms` does
#
# The room of a file is the first word of its name, up to `_`. A call from one file to a function of another
# is an arrow. Calls in messages ("{describe(x)}") count. Calls of S3 methods through their generic do not: a
# generic stands below its methods. Needs igraph and codetools.

# Which rooms each room may use beside itself, from the ground up.
uses_of_rooms <- list(
  base = character(),
  data = "base",
  source = c("base", "data"),
  kernel = c("base", "data", "source"),
  response = c("base", "data"),
  method = c("base", "data", "source", "kernel", "response"),
  fit = c("base", "data", "source", "kernel", "response", "method"),
  use = c("base", "data", "source", "kernel", "method", "fit"),
  embed = c("base", "data", "source", "kernel", "fit", "use"),
  cv = c("base", "data", "source", "kernel", "response", "method", "fit", "use"),
  plot = c("base", "data", "source", "kernel", "response", "fit", "use", "embed", "cv"),
  recipe = c("base", "data", "source", "kernel", "response", "method", "fit", "use", "embed", "cv", "plot"),
  parsnip = c("base", "method", "fit"),
  package = c("base", "data", "source", "kernel", "response", "method", "fit", "use", "embed", "cv", "plot",
    "recipe", "parsnip")
)
most_in_circle <- 3

# ---- the calls --------------------------------------------------------------------------

strings_in <- function(e) {
  if (is.character(e)) return(e)
  if (!is.call(e) && !is.pairlist(e) && !is.expression(e)) return(NULL)
  unlist(lapply(as.list(e), function(part) if (missing(part)) NULL else strings_in(part)))
}

# The names in the templates of messages.
names_in_messages <- function(e) {
  text <- strings_in(e)
  inner <- unlist(regmatches(text, gregexpr("\\{[^{}]*\\}", text)))
  unlist(lapply(gsub("^\\{|\\}$", "", inner), function(code) {
    code <- tryCatch(parse(text = code, keep.source = FALSE), error = function(e) NULL)
    if (!is.null(code)) all.names(code)
  }))
}

# What the definitions of a file use: list(file, uses), `uses` being a list by their names.
definitions <- function(path) {
  all <- as.list(parse(path, keep.source = FALSE))
  is_definition <- function(e) is.call(e) && identical(e[[1]], quote(`<-`)) && !is.call(e[[2]])
  all <- Filter(is_definition, all)
  uses <- lapply(all, function(e) {
    value <- e[[3]]
    is_function <- is.call(value) && identical(value[[1]], quote(`function`))
    code <- eval(if (is_function) value else call("function", NULL, value), globalenv())
    unique(c(unlist(codetools::findGlobals(code, merge = FALSE)), names_in_messages(value)))
  })
  stats::setNames(uses, vapply(all, function(e) as.character(e[[2]]), ""))
}

# A data frame of all arrows: `from` and `to` are functions, `from_file` and `to_file` theirs.
calls_of_package <- function(dir = "R") {
  paths <- list.files(dir, "[.]R$", full.names = TRUE)
  each <- lapply(paths, definitions)
  files <- sub("[.]R$", "", basename(paths))
  uses <- do.call(c, each)
  file_of <- stats::setNames(rep(files, lengths(each)), names(uses))
  twice <- names(file_of)[duplicated(names(file_of))]
  if (length(twice)) stop("defined twice: ", toString(twice))
  uses <- lapply(uses, intersect, names(file_of))
  from <- rep(names(uses), lengths(uses))
  to <- unlist(uses, use.names = FALSE)
  list(files = files, functions = names(file_of), arrows = data.frame(
    from = from, to = to, from_file = unname(file_of[from]), to_file = unname(file_of[to])
  ))
}

# ---- the rules --------------------------------------------------------------------------

room_of <- function(file) sub("_.*", "", file)

circles <- function(from, to) {
  graph <- igraph::graph_from_data_frame(unique(data.frame(from, to)))
  parts <- igraph::components(graph, "strong")
  lapply(which(parts$csize > 1), function(k) names(which(parts$membership == k)))
}

in_words <- function(arrows) {
  sprintf("  %s: %s() uses %s() of %s", arrows$from_file, arrows$from, arrows$to, arrows$to_file)
}

flaws_of_rooms <- function(calls) {
  homeless <- calls$files[!room_of(calls$files) %in% names(uses_of_rooms)]
  between <- calls$arrows[calls$arrows$from_file != calls$arrows$to_file, ]
  from <- room_of(between$from_file)
  to <- room_of(between$to_file)
  allowed <- from == to | mapply(function(a, b) b %in% uses_of_rooms[[a]], from, to)
  of_files <- Filter(
    function(k) length(k) > most_in_circle || length(unique(room_of(k))) > 1,
    circles(between$from_file, between$to_file)
  )
  # A function that calls itself is no circle of two.
  others <- calls$arrows[calls$arrows$from != calls$arrows$to, ]
  file_of <- stats::setNames(c(others$from_file, others$to_file), c(others$from, others$to))
  of_functions <- Filter(
    function(k) length(unique(file_of[k])) > 1, circles(others$from, others$to)
  )
  c(
    if (length(homeless)) c("Files without a room:", paste0("  ", homeless)),
    if (!all(allowed)) c("Calls to a room that may not be used:", in_words(between[!allowed, ])),
    unlist(lapply(of_files, function(k) {
      c(paste("A circle of files:", toString(k)),
        in_words(between[between$from_file %in% k & between$to_file %in% k, ]))
    })),
    unlist(lapply(of_functions, function(k) paste("A circle of functions:", toString(k))))
  )
}

missing_packages <- Filter(function(name) !requireNamespace(name, quietly = TRUE), c("codetools", "igraph"))
if (length(missing_packages)) {
  cat("The rooms of R/ are not checked:", toString(missing_packages), "not installed.\n")
} else {
  calls <- calls_of_package()
  flaws <- flaws_of_rooms(calls)
  between <- calls$arrows[calls$arrows$from_file != calls$arrows$to_file, ]
  inner <- circles(between$from_file, between$to_file)
  writeLines(as.character(flaws))
  cat(sprintf(
    "%d files in %d rooms, %d definitions, %d arrows between files, %d circles of files.\n",
    length(calls$files), length(unique(room_of(calls$files))), length(calls$functions),
    nrow(unique(between[c("from_file", "to_file")])), length(inner)
  ))
  quit(status = as.integer(length(flaws) > 0))
}
