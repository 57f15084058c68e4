# Files that are written: whether a path can be written, and whether the disk has room. A library that writes
# files may lose values, or crash, where a disk is full: so the room is tried before it is used.

# The name of a file beside `path` that does not exist.
new_name <- function(path) tempfile(paste0(basename(path), "."), dirname(path), ".part")

# An error where no file of `bytes` can be written at `path`. It is tried with a file beside it, which is
# deleted.
check_writable <- function(path, arg, call, bytes = 1) {
  folder <- dirname(path)
  if (!dir.exists(folder)) {
    abort_input(c(
      "{.arg {arg}} must be the path of a new file in a folder that exists.",
      x = if (file.exists(folder)) {
        "{.path {folder}} is not a folder."
      } else {
        "The folder {.path {folder}} does not exist."
      },
      i = if (!file.exists(folder)) "Make it by {.fn dir.create}, or choose another."
    ), arg = arg, call = call)
  }
  try <- new_name(path)
  on.exit(unlink(try, expand = FALSE))
  if (size_of_zeros(try, 1) < 1) {
    abort_input(c(
      "{.arg {arg}} must be the path of a file that can be written.",
      x = "{.path {path}} cannot be written.",
      i = "Check the permissions of its folder, and that its disk has room, or choose another."
    ), arg = arg, call = call)
  }
  # A limit to the size of files is found by the last byte alone, where the system keeps no room for the bytes
  # before it.
  if (bytes == 1 || .Platform$OS.type != "unix" || size_of_zeros(try, 1, bytes - 1) >= bytes) {
    return(invisible())
  }
  size <- format(bytes / 1e6, digits = 3, big.mark = ",")
  abort_input(c(
    "{.arg {arg}} must be the path of a file that can have {size} MB.",
    x = "The size of files is limited in {.path {folder}}.",
    i = "Choose another folder, or give a function(values, rows) that writes several files."
  ), arg = arg, call = call)
}

# Whether the disk of the file `path` has room for so many bytes more: they are written to a file beside it,
# which is removed.
has_room <- function(path, bytes) {
  probe <- new_name(path)
  on.exit(unlink(probe, expand = FALSE))
  size_of_zeros(probe, bytes) >= bytes
}

# The size of a new file with `bytes` zeros after `skip` bytes that are not written; 0 where there is none. R
# does not say that it could not write, so only the size tells.
size_of_zeros <- function(path, bytes, skip = 0) {
  write <- function() {
    con <- base::file(path, "wb")
    on.exit(close(con))
    if (skip > 0) seek(con, skip, rw = "write")
    block <- raw(min(bytes, 2^20))
    for (i in seq_len(ceiling(bytes / length(block)))) writeBin(block, con)
  }
  or_else(suppressWarnings(write()), NULL)
  size <- file.size(path)
  if (is.na(size)) 0 else size
}
