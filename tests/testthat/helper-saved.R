# What a saved object gives for its data, as plain vectors; tools/fixtures.R stores them.
saved_numbers <- function(object, data) {
  numbers <- function(v) as.vector(if (is.data.frame(v)) unlist(lapply(v, as.numeric)) else as.matrix(v))
  of <- function(...) numbers(stats::predict(object, ...))
  switch(class(object)[1],
    landmarks = {
      fails <- if (length(object$na.action)) "na.omit" else "na.fail"
      rows <- function(type) of(data, type, na.action = getExportedValue("stats", fails))
      c(
        list(features = rows("features"), nearest = rows("nearest")),
        list(landmarks = as.vector(stats::coef(object))),
        if (!is.null(object$response)) list(response = rows("response"))
      )
    },
    landmark_graph = list(degrees = unname(Matrix::rowSums(object$weights)), reach = object$reach),
    landmark_embedding = list(coordinates = of(data), landmarks = as.vector(stats::coef(object))),
    cv_landmarks = list(
      response = of(data, "response"), features = of(data, "features"),
      coefficients = as.vector(coef(object)), measure = object$summary[[object$measure]]
    ),
    codebook = list(shares = of(data, rep(c("a", "b"), length.out = nrow(data)))),
    tagging_scores = list(means = summary(object)$means$mean),
    raw_features = list(features = of(data))
  )
}

# A comparison whose units a test has changed, with the table and the best row of these units.
summarised_again <- function(cv) {
  chosen_by <- list(best = cv$measure, lambda = chooses_lambda(cv))
  again <- cv_summary(cv$units, chosen_by, names(cv$compared), cv$bandwidths, NULL)
  cv[names(again)] <- again
  cv
}
