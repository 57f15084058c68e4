# Where a result was made and by what: the stamp that benches and evidence write, and the check reads.

# Parts of the benches that have their script from another part.
stamp_scripts <- c(roll = "embedding", digits = "embedding", extension = "embedding", search = "embedding")

# ---- the code that a script uses -----------------------------------------------------

# A call without what is said to users: no number depends on it.
without_words <- function(code) {
  if (!is.call(code)) return(code)
  name <- deparse(code[[1]])[1]
  if (grepl("^(abort|warn|inform|stop)(_|$)", name)) return(quote(said()))
  as.call(lapply(as.list(code), function(part) if (is.call(part)) without_words(part) else part))
}

# An R expression: its text without comments, layout and words, and all names and strings in it.
read_expression <- function(e) {
  text <- paste(deparse(without_words(e)), collapse = "\n")
  tokens <- utils::getParseData(parse(text = text, keep.source = TRUE))
  used <- tokens$text[tokens$token %in% c("SYMBOL", "SYMBOL_FUNCTION_CALL", "STR_CONST")]
  list(text = text, used = unique(gsub("^[\"'`]|[\"'`]$", "", used)))
}
read_r <- function(file) lapply(parse(file, keep.source = FALSE, encoding = "UTF-8"), read_expression)

# All that these files define, by name.
read_named <- function(files) {
  code <- unlist(lapply(files, function(file) {
    parsed <- parse(file, keep.source = FALSE, encoding = "UTF-8")
    named <- vapply(parsed, function(e) is.call(e) && identical(e[[1]], quote(`<-`)) && is.name(e[[2]]), NA)
    stats::setNames(
      lapply(parsed[named], read_expression), vapply(parsed[named], function(e) as.character(e[[2]]), "")
    )
  }), recursive = FALSE)
  code[order(names(code), method = "radix")]
}
read_package <- function() read_named(list.files("R", "\\.R$", full.names = TRUE))

# What scripts share: bench/tools.R and its like.
read_shared <- function(kind) {
  files <- file.path("bench", c("tools.R", "algorithm1.R"))
  read_named(c(files, if (kind == "evidence") file.path("evidence", "tools.R")))
}

# What shows results changes none.
stamp_shows <- c("print", "format", "plot", "autoplot", "summary", "str", "toString")

# The names of `package` that `used` leads to: functions that are called or passed, and methods of generics
# that are called, where the name of their class is used as well.
reached <- function(used, package) {
  names <- setdiff(names(package), stamp_shows)
  dot <- regexpr(".", names, fixed = TRUE)
  generic <- substr(names, 1, pmax(dot - 1, 0))
  class <- substring(names, dot + 1)
  found <- character()
  repeat {
    is_method <- dot > 1 & generic %in% setdiff(used, stamp_shows) & class %in% c(used, "default")
    new <- setdiff(names[names %in% used | is_method], found)
    if (length(new) == 0) return(sort(found, method = "radix"))
    found <- c(found, new)
    used <- unique(c(used, unlist(lapply(package[new], `[[`, "used"))))
  }
}

# Each C file: its text without comments and layout, what it includes of ours, and the routines in it.
read_core <- function() {
  files <- sort(list.files("src", "\\.[ch]$", recursive = TRUE), method = "radix")
  lapply(stats::setNames(nm = files), function(file) {
    code <- paste(readLines(file.path("src", file), encoding = "UTF-8"), collapse = "\n")
    code <- gsub("(?s)/\\*.*?\\*/", " ", code, perl = TRUE)
    find <- function(pattern) regmatches(code, gregexpr(pattern, code, perl = TRUE))[[1]]
    included <- find('(?<=#include ")[^"]+')
    beside <- sub("^\\./", "", file.path(dirname(file), included))
    list(
      text = gsub("[[:space:]]+", "", code), entries = find("(?<=SEXP lm_)[a-z_0-9]+(?=\\()"),
      includes = ifelse(beside %in% files, beside, included)
    )
  })
}

# The C files that these routines are made of: a header brings the files that begin with it.
reached_core <- function(entries, core) {
  own_header <- vapply(core, function(f) if (length(f$includes)) f$includes[1] else "", "")
  found <- names(core)[vapply(core, function(f) any(f$entries %in% entries), NA)]
  # Headers list all entries; their files are what matters.
  new <- found <- found[grepl("\\.c$", found)]
  while (length(new)) {
    headers <- unlist(lapply(core[new], `[[`, "includes"))
    bodies <- names(core)[own_header %in% headers & grepl("/", names(core))]
    new <- setdiff(intersect(c(headers, bodies), names(core)), found)
    found <- c(found, new)
  }
  sort(found, method = "radix")
}

# The sum of the code that a result depends on, without comments, layout and words: its script and what that
# leads to in shared files, R/ and src/. `kind` is "bench" or "evidence".
code_sum <- function(kind, name, package = read_package(), core = read_core()) {
  script <- if (kind == "bench" && name %in% names(stamp_scripts)) stamp_scripts[[name]] else name
  own <- read_r(file.path(kind, paste0(script, ".R")))
  used <- unlist(lapply(own, `[[`, "used"))
  code <- c(package, read_shared(kind))
  functions <- reached(used, code)
  names_there <- unlist(lapply(code[functions], `[[`, "used"))
  entries <- sub("^C_", "", grep("^C_", c(used, names_there), value = TRUE))
  text <- c(
    vapply(own, `[[`, "", "text"), vapply(code[functions], `[[`, "", "text"),
    vapply(core[reached_core(entries, core)], `[[`, "", "text")
  )
  file <- tempfile()
  on.exit(unlink(file))
  writeLines(text, file, useBytes = TRUE)
  substr(unname(tools::md5sum(file)), 1, 10)
}

# The commit, with a plus where code that git knows has changed since (results of other parts are no code).
stamp_commit <- function() {
  commit <- system("git rev-parse --short=10 HEAD 2>/dev/null", intern = TRUE)
  if (length(commit) == 0) return("unknown")
  status <- paste(
    "git status --porcelain --untracked-files=no --",
    "R src 'bench/*.R' 'bench/*.c' 'bench/*.py' evidence 2>/dev/null"
  )
  changed <- system(status, intern = TRUE)
  paste0(commit, if (length(changed)) "+")
}

# The stamp in a line, as benches write it: stamps() of evidence.R finds it again.
stamp_line <- function(kind, name, command) {
  sprintf("made by `%s` at commit %s, code %s", command, stamp_commit(), code_sum(kind, name))
}
