# Steps of package recipes. prep() wraps errors of a step, in words that depend on its version.

# The error of landmarker within another error, raised alone. An error of another package that led to it
# is left out, because its words depend on the version too.
own_error <- function(code) {
  tryCatch(code, error = function(e) {
    while (!inherits(e, "landmarker_error") && !is.null(e$parent)) e <- e$parent
    if (!inherits(e$parent, "landmarker_error")) e["parent"] <- list(NULL)
    rlang::cnd_signal(e)
  })
}

trained <- function(recipe, seed = 1) {
  # Its steps draw their names.
  force(recipe)
  set.seed(seed)
  recipes::prep(recipe)
}

step_of <- function(data, formula, ...) {
  step_landmarks(recipes::recipe(formula, data = data), recipes::all_predictors(), ...)
}

# What bake() makes of the rows of a recipe, as a matrix.
features_of <- function(recipe, data) {
  as.matrix(recipes::bake(recipe, data, recipes::all_predictors()))
}
