# What all pages share: the size of their pictures and the width of their lines.

# Pages of the site alone may be large; those that are installed may not.
on_site <- basename(getwd()) == "articles"
knitr::opts_chunk$set(
  collapse = TRUE, comment = "#>", dev = "png", dpi = if (on_site) 96 else 60, fig.align = "center",
  fig.width = 7, fig.height = 4, out.width = NULL
)
# Colors of pictures go into a palette, which halves the pages. In the installed pages it has 12, but for
# pictures with a scale of colors.
many_colors <- sprintf("--speed=1 --nofs %d", if (on_site) 64 else 40)
few_colors <- "--speed=1 --nofs 12"
if (nzchar(Sys.which("pngquant"))) {
  knitr::knit_hooks$set(pngquant = function(before, options, envir) {
    suppressMessages(knitr::hook_pngquant(before, options, envir))
  })
  knitr::opts_chunk$set(pngquant = many_colors)
}
options(width = 80, cli.width = 80, landmarker.threads = 2)

# Lines of output that are wider than the page are continued in the next line, as in a console. Colored lines
# are those of cli and pillar, which wrap them.
wrap_line <- function(line, width = 88) {
  if (cli::ansi_has_any(line)) return(line)
  out <- character()
  while (nchar(line) > width) {
    blanks <- gregexpr(" ", substr(line, 1, width), fixed = TRUE)[[1]]
    at <- max(blanks)
    if (at < width / 2) at <- width
    out <- c(out, sub(" +$", "", substr(line, 1, at)))
    line <- paste0("#>     ", substring(line, at + 1))
  }
  c(out, line)
}

local({
  wrapped <- function(hook) {
    force(hook)
    function(x, options) {
      lines <- strsplit(x, "\n", fixed = TRUE)[[1]]
      if (!identical(options$results, "asis")) lines <- unlist(lapply(lines, wrap_line))
      hook(paste0(paste(lines, collapse = "\n"), "\n"), options)
    }
  }
  for (kind in c("output", "warning", "message")) {
    hook <- stats::setNames(list(wrapped(knitr::knit_hooks$get(kind))), kind)
    do.call(knitr::knit_hooks$set, hook)
  }
})
