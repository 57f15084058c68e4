# Checks of the vignettes: what their sources must have, and what the rendered pages must have.
#
#   Rscript tools/vignettes.R              the sources alone, in a second
#   Rscript tools/vignettes.R render       renders all of them as well, and checks the pages
#   Rscript tools/vignettes.R site         renders the pages of the site alone, in vignettes/articles
#   Rscript tools/vignettes.R FILE.html    checks pages that are there
#
# From the top of the repository. Each line of the output is a finding, and the status is 1 if there is any.

# Names of functions that open a picture. Helpers of the vignettes that draw begin with plot_ or draw.
draws <- paste0(
  "\\b(plot|autoplot|ggplot|image|matplot|hist|barplot|boxplot|pairs|curve|layout|panel|draw|picture)",
  "[a-z_]*[(]"
)

# The chunks of a source: their headers, and the code without comments.
chunks_of <- function(lines) {
  starts <- grep("^```[{][a-zA-Z]", lines)
  ends <- grep("^```\\s*$", lines)
  lapply(starts, function(start) {
    end <- ends[ends > start][1]
    code <- lines[seq_len(end - start - 1) + start]
    list(line = start, header = lines[start], code = sub("(^|\\s)#.*$", "", code))
  })
}

finding <- function(file, line, text) sprintf("%s:%d: %s", basename(file), as.integer(line), text)

check_chunk <- function(file, chunk, width = 90) {
  found <- character()
  shown <- !grepl("eval = FALSE|include = FALSE", chunk$header)
  # A function that is defined and not called draws nothing here.
  body <- chunk$code[!grepl("function[(]", chunk$code)]
  if (shown && any(grepl(draws, body))) {
    for (option in c("fig.alt", "fig.cap")) {
      if (!grepl(paste0(option, " = "), chunk$header, fixed = TRUE)) {
        found <- c(found, finding(file, chunk$line, paste0("this chunk draws, and has no ", option, ".")))
      }
    }
  }
  if (grepl("echo = FALSE|include = FALSE", chunk$header)) return(found)
  wide <- which(nchar(chunk$code) > width)
  c(found, if (length(wide)) {
    finding(file, chunk$line + wide, paste("this line of code has more than", width, "characters."))
  })
}

# A vignette's R code is installed beside it, without the helpers that its hidden chunks need.
check_purl <- function(file, chunk) {
  hidden <- grepl("echo = FALSE|include = FALSE", chunk$header)
  if (!hidden || grepl("purl = FALSE", chunk$header)) return(NULL)
  finding(file, chunk$line, "this chunk is hidden and has no purl = FALSE.")
}

check_source <- function(file, pages) {
  lines <- readLines(file, encoding = "UTF-8")
  chunks <- chunks_of(lines)
  hidden <- any(grepl("opts_chunk$set(echo = FALSE)", lines, fixed = TRUE))
  if (hidden) {
    chunks <- lapply(chunks, function(chunk) {
      if (!grepl("echo = TRUE", chunk$header)) chunk$header <- paste(chunk$header, "echo = FALSE")
      chunk
    })
  }
  found <- unlist(lapply(chunks, check_chunk, file = file))
  if (basename(dirname(file)) != "articles") {
    found <- c(found, unlist(lapply(chunks, check_purl, file = file)))
  }
  if (length(lines) >= 400) found <- c(found, finding(file, length(lines), "400 lines or more."))
  if (!any(grepl("--mathml", lines, fixed = TRUE)) || !any(grepl("mathjax: null", lines, fixed = TRUE))) {
    found <- c(found, finding(file, 1, "its equations do not render offline: mathjax: null, --mathml."))
  }
  named <- gregexpr('vignette[(]"[^"]+"[)]', lines)
  for (at in which(lengths(regmatches(lines, named)) > 0)) {
    name <- gsub('vignette[(]"|"[)]', "", regmatches(lines[at], named[at])[[1]])
    missing <- setdiff(name, pages)
    if (length(missing)) found <- c(found, finding(file, at, paste("there is no vignette", missing)))
  }
  found
}

# The vignettes, and the pages of the site alone in `articles`. The benchmarks are tables that others wrote.
sources_in <- function(folder) {
  files <- list.files(file.path(folder, c(".", "articles")), "[.]Rmd$", full.names = TRUE)
  files[basename(files) != "benchmarks.Rmd"]
}

check_sources <- function(folder = "vignettes") {
  pages <- sub("[.]Rmd$", "", list.files(folder, "[.]Rmd$"))
  as.character(unlist(lapply(sources_in(folder), check_source, pages = pages)))
}

# --- Rendered pages ---

all_matches <- function(pattern, text) regmatches(text, gregexpr(pattern, text, perl = TRUE))[[1]]

plain_text <- function(html) {
  text <- gsub("<[^>]*>", "", html)
  for (entity in list(c("&lt;", "<"), c("&gt;", ">"), c("&quot;", "\""), c("&#39;", "'"), c("&amp;", "&"))) {
    text <- gsub(entity[1], entity[2], text, fixed = TRUE)
  }
  text
}

# `html`: the page as one string. `warns`: how many chunks show a warning on purpose.
check_page <- function(html, name, width = 95, warns = 0) {
  # Pictures and styles are in the page as data, which no pattern should look at.
  html <- gsub("(src|href)=\"data:[^\"]*\"", "\\1=\"data:\"", html)
  found <- character()
  add <- function(...) found <<- c(found, paste0(name, ": ", ...))

  images <- all_matches("<img[^>]*>", html)
  without <- images[!grepl("alt=\"[^\"]*[^\" ][^\"]*\"", images)]
  if (length(without)) add(length(without), " of ", length(images), " pictures without an alt text.")

  text <- gsub("(?s)<pre[^>]*>(.*?)</pre>", "\001\\1\002", html, perl = TRUE)
  blocks <- all_matches("(?s)\001.*?\002", text)
  for (line in unlist(strsplit(plain_text(gsub("[\001\002]", "", blocks)), "\n"))) {
    if (nchar(line) > width) add("a line of ", nchar(line), " characters: ", substr(line, 1, 60), " ...")
  }

  ids <- gsub("^(id|name)=\"|\"$", "", all_matches("\\b(?:id|name)=\"[^\"]*\"", html))
  links <- gsub("^href=\"|\"$", "", all_matches("href=\"[^\"]*\"", html))
  inside <- sub("^#", "", links[grepl("^#.", links)])
  for (id in setdiff(inside, ids)) add("a link to #", id, ", which is not there.")
  outside <- grepl("^(#|https?://|mailto:|data:)", links)
  for (link in unique(links[!outside])) add("a link to the file ", link, ".")

  if (grepl("mathjax", html, ignore.case = TRUE)) add("a script of MathJax.")
  raw <- all_matches("class=\"math[^\"]*\">[^<]{0,40}", html)
  for (formula in raw) add("a formula that did not parse: ", formula)
  shown <- length(all_matches("#&gt; Warning", html))
  if (shown > warns) add(shown, " warnings in the output, where chunks announce ", warns, " by warns = TRUE.")
  found
}

read_page <- function(file) paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")

check_pages <- function(files, sources = "vignettes") {
  as.character(unlist(lapply(files, function(file) {
    name <- sub("[.]html$", "", basename(file))
    source <- file.path(sources, c(".", "articles"), paste0(name, ".Rmd"))
    source <- source[file.exists(source)]
    warns <- if (length(source)) sum(grepl("^```[{]r.*warns = TRUE", readLines(source))) else 0
    check_page(read_page(file), basename(file), warns = warns)
  })))
}

# Each page in a process of its own. What knitr and pandoc say is a finding.
render_all <- function(folder = "vignettes", into = tempfile("pages"), site_only = FALSE) {
  dir.create(into)
  file.copy(folder, into, recursive = TRUE)
  # evidence() of the pages finds what is not installed.
  dir.create(file.path(into, "inst"))
  file.copy(file.path(folder, "..", "inst", "evidence"), file.path(into, "inst"), recursive = TRUE)
  copies <- sources_in(file.path(into, basename(folder)))
  if (site_only) copies <- copies[basename(dirname(copies)) == "articles"]
  found <- lapply(copies, function(file) {
    # Pages of the site are no vignettes, and have no entry in their index.
    no_index <- "options(rmarkdown.html_vignette.check_title = FALSE); "
    code <- sprintf("%srmarkdown::render(%s, quiet = TRUE)", no_index, deparse(file))
    rscript <- file.path(R.home("bin"), "Rscript")
    said <- suppressWarnings(system2(rscript, c("-e", shQuote(code)), stdout = TRUE, stderr = TRUE))
    # Pandoc 3.9 has another name for an option that older ones need.
    said <- said[!grepl("Deprecated: --mathml", said, fixed = TRUE)]
    if (length(said)) paste0(basename(file), ": ", said)
  })
  pages <- sub("[.]Rmd$", ".html", copies)
  c(as.character(unlist(found)), check_pages(pages[file.exists(pages)], folder))
}

# Sourced by a test, it only defines the functions.
if (sys.nframe() == 0) {
  args <- commandArgs(TRUE)
  found <- check_sources()
  render <- identical(args, "render") || identical(args, "site")
  if (render) found <- c(found, render_all(site_only = args == "site"))
  if (length(args) && !render) found <- c(found, check_pages(args))
  writeLines(found)
  if (!length(found)) cat("The vignettes are in order.\n")
  quit(status = as.integer(length(found) > 0))
}
