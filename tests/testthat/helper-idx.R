# Files in the idx format, written byte by byte from its definition.
size4 <- function(n) as.raw((n %/% 256^(3:0)) %% 256)

idx_raw <- function(type, dim, body = raw(0)) {
  c(as.raw(c(0, 0, type, length(dim))), unlist(lapply(dim, size4)), as.raw(body))
}

# A file of a fixed name, because messages show it, in a folder of its own.
idx_file <- function(bytes, name = "toy.idx", open = base::file, envir = parent.frame()) {
  path <- file.path(withr::local_tempdir(.local_envir = envir), name)
  con <- open(path, "wb")
  on.exit(close(con))
  writeBin(bytes, con)
  path
}
