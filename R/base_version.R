# Objects carry the version of the package that made them, as the part `version`, a string.

# Of the loaded package, not of the files, which an installation may be replacing.
made_by <- function() unname(getNamespaceInfo("landmarker", "spec")["version"])

# Objects from before 0.1.0 was released have no version, and are accepted where all other parts are sound.
is_version <- function(v) is.null(v) || is_path(v)

# A hint for an error about a flawed object: which version made it, where that is another one.
version_hint <- function(object) {
  made <- if (is.list(object)) unclass(object)$version
  if (!is_path(made) || made == made_by()) return(NULL)
  paste0("It was made by version ", made, " of landmarker, and this is version ", made_by(), ".")
}
