# Squared errors of held-out rows: a column for each model.

error_table <- function(squared) {
  shown <- t(apply(squared, 2, mean_se))
  knitr::kable(
    data.frame(model = colnames(squared), sprintf("%.2f", shown[, "mean"]), sprintf("%.2f", shown[, "se"])),
    col.names = c("", "mean squared error", "standard error"), align = "lrr", row.names = FALSE,
    caption = "Out-of-fold errors"
  )
}

# "clearly below (by 3.11, standard error 1.20)": in words how large a mean difference is.
apart <- function(gain) {
  clear <- abs(gain[["mean"]]) > 2 * gain[["se"]]
  sprintf("%s%s (by %.2f, with a standard error of %.2f)",
    if (clear) "clearly " else "", if (gain[["mean"]] > 0) "below" else "above", abs(gain[["mean"]]), gain[["se"]])
}
