# Where a result was made and by what: the stamp that benches and evidence write, and the check reads.

# The rooms of R/ that any result depends on, and those that some results depend on beside these. What draws,
# prints and reads other packages' objects changes no number.
stamp_rooms <- c("base", "data", "source", "kernel", "method", "fit", "use")
stamp_more <- list(
  bench = list(
    compare = "embed", climb = "embed", roll = "embed", digits = "embed", extension = "embed",
    search = "embed", layout = "embed", response = "response", evaluate = c("response", "cv"),
    criteria = c("response", "cv"),
    scale = "response", workers = "response"
  ),
  evidence = list(
    digits = c("response", "cv"), embedding = "embed", embedding_digits = "embed", graphs = "embed",
    response = c("response", "cv"), tables = c("response", "cv"), tagging = c("response", "cv"),
    cells = "embed"
  )
)
# Parts of the benches that have their script from another part.
stamp_scripts <- c(roll = "embedding", digits = "embedding", extension = "embedding", search = "embedding")

# The code of an R file without comments and layout.
code_of_file <- function(file) {
  code <- parse(file, keep.source = FALSE, encoding = "UTF-8")
  vapply(code, function(e) paste(deparse(e), collapse = " "), "")
}

# That of all C files.
code_of_core <- function() {
  files <- sort(list.files("src", "\\.[ch]$", recursive = TRUE, full.names = TRUE))
  vapply(files, function(file) {
    code <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
    gsub("[[:space:]]+", "", gsub("(?s)/\\*.*?\\*/", " ", code, perl = TRUE))
  }, "")
}

# The sum of the code that a result depends on, without comments and layout: of `kind` "bench" or "evidence".
code_sum <- function(kind, name, core = code_of_core()) {
  script <- if (kind == "bench" && name %in% names(stamp_scripts)) stamp_scripts[[name]] else name
  rooms <- paste(c(stamp_rooms, stamp_more[[kind]][[name]]), collapse = "|")
  r <- c(
    list.files("R", paste0("^(", rooms, ")(_.*)?\\.R$"), full.names = TRUE), file.path(kind, "tools.R"),
    file.path(kind, paste0(script, ".R"))
  )
  text <- c(unlist(lapply(r[file.exists(r)], code_of_file)), core)
  file <- tempfile()
  on.exit(unlink(file))
  writeLines(text, file, useBytes = TRUE)
  substr(unname(tools::md5sum(file)), 1, 10)
}

# The commit, with a plus where files that git knows have changed since.
stamp_commit <- function() {
  commit <- system("git rev-parse --short=10 HEAD 2>/dev/null", intern = TRUE)
  if (length(commit) == 0) return("unknown")
  status <- "git status --porcelain --untracked-files=no R src bench evidence 2>/dev/null"
  changed <- system(status, intern = TRUE)
  paste0(commit, if (length(changed)) "+")
}

# The stamp in a line, as benches write it: stamps() of evidence.R finds it again.
stamp_line <- function(kind, name, command) {
  sprintf("made by `%s` at commit %s, code %s", command, stamp_commit(), code_sum(kind, name))
}
