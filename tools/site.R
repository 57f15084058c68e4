# `make site`: the site of the package by pkgdown, into build/site. It loads nothing from the network, and
# its pages load nothing from other sites: equations become MathML. Fails at a warning, a help page or an
# article that is in no group of _pkgdown.yml, a link or a picture that leads nowhere inside the site, a
# picture without alt text, and an error in the browser's console. build/site-pictures has the pages at two
# widths, if there is a Chromium. Articles that are on the site alone have no entry in the index of
# vignettes.
options(pkgdown.internet = FALSE, warn = 1, rmarkdown.html_vignette.check_title = FALSE)
# R asks the system for the time zone, which warns in a container.
if (!nzchar(Sys.getenv("TZ"))) Sys.setenv(TZ = "UTC")
# Packages that are not installed are looked up on CRAN. Here they get no links.
no_packages <- data.frame(Package = character(), URL = character())
utils::assignInNamespace("CRAN_urls", function() no_packages, "downlit")
site <- file.path("build", "site")

# Equations stand in pages as \( \) and \[ \]. All of them at once through pandoc.
math_patterns <- c("(?s)\\\\\\(.{1,999}?\\\\\\)", "(?s)\\\\\\[.{1,999}?\\\\\\]")
plain <- function(tex) {
  vapply(tex, function(one) xml2::xml_text(xml2::read_html(paste0("<p>", one))), "", USE.NAMES = FALSE)
}
as_mathml <- function(tex) {
  inside <- gsub("\\s+", " ", substr(tex, 3, nchar(tex) - 2))
  mark <- ifelse(startsWith(tex, "\\("), "$", "$$")
  source <- tempfile(fileext = ".md")
  target <- tempfile(fileext = ".html")
  writeLines(paste0(mark, trimws(inside), mark, "\n"), source)
  status <- system2("pandoc", c("--mathml", "-f", "markdown", "-t", "html", "-o", target, source))
  if (status != 0) stop("pandoc could not convert the equations.")
  text <- paste(readLines(target, encoding = "UTF-8"), collapse = "\n")
  found <- regmatches(text, gregexpr("(?s)<math.*?</math>", text, perl = TRUE))[[1]]
  if (length(found) != length(tex)) {
    stop("pandoc lost an equation: ", length(tex), " became ", length(found), ".")
  }
  gsub("(?s)<annotation.*?</annotation>", "", found, perl = TRUE)
}
# Alt text where pkgdown leaves it empty: a picture's caption, or the call of the example that draws it.
describe_pictures <- function(page) {
  # The place of a logo, which this package does not have.
  page <- gsub("<img src=\"\" class=\"logo\" alt=\"\">", "", page, fixed = TRUE)
  empty <- xml2::xml_find_all(xml2::read_html(page), "//img[@alt='' and @src]")
  for (one in as.list(empty)) {
    caption <- xml2::xml_text(xml2::xml_find_first(one, "following-sibling::p[@class='caption']"))
    call <- xml2::xml_text(xml2::xml_find_first(one, "preceding::span[contains(@class, 'r-in')][1]"))
    alt <- if (!is.na(caption)) caption else if (!is.na(call)) paste("Drawn by the example:", call) else next
    alt <- gsub("\"", "&quot;", gsub("&", "&amp;", trimws(alt), fixed = TRUE), fixed = TRUE)
    start <- sprintf("<img src=\"%s\" alt=\"", xml2::xml_attr(one, "src"))
    page <- sub(paste0(start, "\""), paste0(start, alt, "\""), page, fixed = TRUE)
  }
  page
}
finish_page <- function(file) {
  page <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  page <- describe_pictures(page)
  # Code is not touched.
  code <- gregexpr("(?s)<pre.*?</pre>", page, perl = TRUE)
  kept <- regmatches(page, code)
  regmatches(page, code) <- list(sprintf("@pre%d@", seq_along(kept[[1]])))
  for (pattern in math_patterns) {
    at <- gregexpr(pattern, page, perl = TRUE)
    tex <- regmatches(page, at)[[1]]
    if (length(tex)) regmatches(page, at) <- list(as_mathml(plain(tex)))
  }
  for (i in seq_along(kept[[1]])) page <- sub(sprintf("@pre%d@", i), kept[[1]][i], page, fixed = TRUE)
  # Pages of the repository that are pages of the site under other names.
  root <- strrep("../", lengths(regmatches(file, gregexpr("/", file))) - 2)
  for (link in list(c("bench/RESULTS", "articles/benchmarks"), c("NEWS", "news/index"))) {
    there <- sprintf("href=\"%s%s.html\"", root, link[2])
    page <- gsub(sprintf("href=\"%s\\.(md|html)\"", link[1]), there, page)
  }
  writeLines(page, file, useBytes = TRUE)
}

# Links and files of a page that are not in the site, and pictures without alt text.
faults_of_page <- function(file) {
  page <- xml2::read_html(file)
  pictures <- xml2::xml_attr(xml2::xml_find_all(page, "//img[not(normalize-space(@alt))]"), "src")
  loaded <- c(
    xml2::xml_attr(xml2::xml_find_all(page, "//*[@src]"), "src"),
    xml2::xml_attr(xml2::xml_find_all(page, "//link[@href]"), "href")
  )
  linked <- xml2::xml_attr(xml2::xml_find_all(page, "//a[@href]"), "href")
  elsewhere <- "^([a-z]+:|//)"
  there <- function(link) {
    path <- file.path(dirname(file), utils::URLdecode(sub("[?#].*", "", link)))
    if (startsWith(link, "#")) path <- file
    if (dir.exists(path)) path <- file.path(path, "index.html")
    if (!file.exists(path)) return(FALSE)
    place <- if (grepl("#.", link)) utils::URLdecode(sub(".*#", "", link)) else return(TRUE)
    place %in% xml2::xml_text(xml2::xml_find_all(xml2::read_html(path), "//@id | //a/@name"))
  }
  inside <- unique(grep(elsewhere, c(loaded, linked), value = TRUE, invert = TRUE))
  outside <- grep("^data:", grep(elsewhere, loaded, value = TRUE), value = TRUE, invert = TRUE)
  c(
    sprintf("no alt text: %s", substr(pictures, 1, 80)),
    sprintf("loaded from elsewhere: %s", unique(outside)),
    sprintf("leads nowhere: %s", inside[!vapply(inside, there, NA)])
  )
}
# Pictures of a page, and the errors that the browser reports.
browse <- function(file, chromium) {
  name <- gsub("/", "-", sub("[.]html$", "", substring(file, nchar(site) + 2)))
  # Help pages are alike: one width.
  widths <- if (startsWith(name, "reference-")) 1280 else c(1280, 400)
  found <- lapply(widths, function(width) {
    png <- normalizePath(file.path("build", "site-pictures"))
    png <- file.path(png, paste0(name, "-", width, ".png"))
    system2(chromium, c(
      "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--hide-scrollbars",
      paste0("--window-size=", width, ",2400"), paste0("--screenshot=", png), normalizePath(file)
    ), stdout = TRUE, stderr = TRUE)
  })
  grep(":CONSOLE", unlist(found), value = TRUE)
}

if (!nzchar(Sys.which("pandoc"))) stop("The site needs pandoc (on Debian: apt-get install pandoc).")
unlink(site, recursive = TRUE)
warned <- character()
withCallingHandlers(
  {
    pkgdown::check_pkgdown()
    pkgdown::build_site(preview = FALSE, install = FALSE, new_process = FALSE)
  },
  warning = function(w) {
    # Examples for a session with a user are not run here, which pkgdown says by a warning.
    if (!grepl("@examplesIf condition", conditionMessage(w))) warned <<- c(warned, conditionMessage(w))
  }
)
pages <- list.files(site, "[.]html$", recursive = TRUE, full.names = TRUE)
for (page in pages) finish_page(page)
found <- lapply(pages, faults_of_page)
chromium <- Filter(nzchar, Sys.which(c("chromium", "chromium-browser", "google-chrome")))
if (length(chromium)) {
  dir.create(file.path("build", "site-pictures"), showWarnings = FALSE)
  found <- Map(c, found, lapply(pages, browse, chromium[1]))
}
found <- sprintf("%s: %s", rep(pages, lengths(found)), as.character(unlist(found)))
found <- c(sprintf("warning: %s", unique(warned)), found)
writeLines(found)
cat(length(pages), "pages in", site, "with", length(found), "faults\n")
quit(status = as.integer(length(found) > 0))
