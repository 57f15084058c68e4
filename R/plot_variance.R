# The picture of the variances of a fit, two panels: Liang and Paisley's variance at each landmark, and the
# share of the kernel's trace that is explained.

variance_picture <- function(fit) {
  n <- seq_len(nrow(fit$landmarks))
  # Landmarks given by the user may all have variance 0, which a logarithmic axis cannot show.
  log <- any(fit$variance > 0)
  variance <- if (log) ifelse(fit$variance > 0, fit$variance, NA) else fit$variance
  marks <- rbind(
    data.frame(panel = 1L, style = 1L, x = n, y = variance),
    data.frame(panel = 2L, style = 2L, x = n, y = 100 * fit$explained)
  )
  left <- range(variance, na.rm = TRUE)
  if (log && left[1] == left[2]) left <- left * c(0.5, 2)
  panels_picture(
    panels = list(
      list(
        name = paste0(
          "Variance at each landmark given those before it",
          if (log) paste0(" (log scale", if (anyNA(variance)) "; gaps are 0", ")")
        ),
        x = range(n), y = left, log = log
      ),
      list(name = "Trace of the kernel matrix explained so far (%)", x = range(n), y = c(0, 100), log = FALSE)
    ),
    title = NULL, axes = list("landmark", NULL), styles = mark_styles(okabe_ito[c(1, 6)]),
    paths = marks, points = cbind(marks, size = 0.7)[!is.na(marks$y), ], places = whole_places, columns = 1
  )
}
