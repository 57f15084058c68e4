# Squared errors of held-out rows: a column for each model.

error_table <- function(squared) {
  shown <- t(apply(squared, 2, mean_se))
  knitr::kable(
    data.frame(model = colnames(squared), sprintf("%.2f", shown[, "mean"]), sprintf("%.2f", shown[, "se"])),
    col.names = c("", "mean squared error", "standard error"), align = "lrr", row.names = FALSE,
    caption = "Out-of-fold errors"
  )
}

# "smaller than that of `lm()` (difference 3.11, standard error 1.20)": a mean difference in words.
apart <- function(gain, than) {
  sprintf("%s than %s (difference %.2f, standard error %.2f)",
    if (gain[["mean"]] > 0) "smaller" else "larger", than, abs(gain[["mean"]]), gain[["se"]])
}
