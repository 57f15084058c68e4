# Fails where a page of the site has a link or a picture that leads nowhere inside the site, loads a file from
# another site, or has a picture without alt text.
#   Rscript tools/links.R [FOLDER]
site <- normalizePath(c(commandArgs(trailingOnly = TRUE), file.path("build", "site"))[1])
files <- list.files(site, "[.]html$", recursive = TRUE)
pages <- lapply(file.path(site, files), xml2::read_html)
names(pages) <- files
ids <- lapply(pages, function(page) {
  c(xml2::xml_attr(xml2::xml_find_all(page, "//*[@id]"), "id"),
    xml2::xml_attr(xml2::xml_find_all(page, "//a[@name]"), "name"))
})
outside <- "^([a-z]+:|//)"
found <- character()
complain <- function(file, ...) found <<- c(found, paste0(file, ": ", ...))

# Where a link of a page leads: the path of a file below the site.
target <- function(file, path) {
  if (!nzchar(path)) return(file)
  steps <- strsplit(file.path(dirname(file), utils::URLdecode(path)), "/")[[1]]
  out <- character()
  for (step in steps) {
    out <- if (step == "..") utils::head(out, -1) else if (step %in% c(".", "")) out else c(out, step)
  }
  out <- paste(out, collapse = "/")
  if (dir.exists(file.path(site, out))) paste0(if (nzchar(out)) paste0(out, "/"), "index.html") else out
}

for (file in files) {
  page <- pages[[file]]
  links <- xml2::xml_attr(xml2::xml_find_all(page, "//a[@href]"), "href")
  for (link in unique(links[!grepl(outside, links)])) {
    leads <- target(file, sub("[?#].*", "", link))
    part <- if (grepl("#", link)) utils::URLdecode(sub(".*#", "", link)) else ""
    if (!file.exists(file.path(site, leads))) {
      complain(file, "no such page: ", link)
    } else if (nzchar(part) && leads %in% files && !part %in% ids[[leads]]) {
      complain(file, "no such place: ", link)
    }
  }
  loaded <- c(
    xml2::xml_attr(xml2::xml_find_all(page, "//*[@src]"), "src"),
    xml2::xml_attr(xml2::xml_find_all(page, "//link[@href]"), "href")
  )
  for (one in unique(loaded[!startsWith(loaded, "data:")])) {
    if (grepl(outside, one)) {
      complain(file, "loaded from elsewhere: ", one)
    } else if (!file.exists(file.path(site, target(file, sub("[?#].*", "", one))))) {
      complain(file, "no such file: ", one)
    }
  }
  pictures <- xml2::xml_find_all(page, "//img")
  alt <- xml2::xml_attr(pictures, "alt")
  for (one in xml2::xml_attr(pictures, "src")[is.na(alt) | !nzchar(trimws(alt))]) {
    complain(file, "a picture without alt text: ", substr(one, 1, 80))
  }
}
if (length(found)) writeLines(found)
cat(length(files), "pages,", length(found), "faults\n")
quit(status = if (length(found)) 1 else 0)
