# The picture of the variances of a fit, two panels: what was left at each landmark, and what is explained.

variance_picture <- function(fit) {
  n <- seq_len(nrow(fit$landmarks))
  # Landmarks given by the user may all have variance 0, which a logarithmic axis cannot show.
  log <- any(fit$variance > 0)
  shown <- if (log) which(fit$variance > 0) else n
  marks <- rbind(
    data.frame(panel = 1L, style = 1L, x = shown, y = fit$variance[shown]),
    data.frame(panel = 2L, style = 2L, x = n, y = 100 * fit$explained)
  )
  left <- range(fit$variance[shown])
  panels_picture(
    panels = list(
      list(
        name = paste0("Variance left at each landmark", if (log) " (log scale)"),
        x = range(n), y = left, log = log
      ),
      list(name = "Variance explained so far (%)", x = range(n), y = c(0, 100), log = FALSE)
    ),
    title = NULL, axes = list("landmark", NULL), styles = mark_styles(okabe_ito[c(1, 6)]),
    paths = marks, points = cbind(marks, size = 0.7), places = whole_places, columns = 1
  )
}
