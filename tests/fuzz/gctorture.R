# Each call of an entry point of the C code that ordinary uses make is repeated while R collects garbage at
# (almost) every allocation: what the code does not protect is gone then. The result must be that of the call
# without, and so must what the call has done to its arguments.
#
#   Rscript tests/fuzz/gctorture.R [STEP [CALLS]]    a collection at each STEP-th allocation, default 1; so many
#                                                   kinds of calls of each entry point, default all

source("tests/fuzz/recorder.R")

asked <- as.numeric(commandArgs(TRUE))
step <- if (length(asked)) asked[1] else 1
most <- if (length(asked) > 1) asked[2] else Inf

invisible(use_all(copy_package()))
entry_of <- vapply(as.list(recorded), function(record) record$entry$name, "")
# The calls with the fewest numbers come first.
numbers <- vapply(as.list(recorded), function(record) as.numeric(object.size(record$arguments)), 0)
keys <- names(entry_of)[order(entry_of, numbers)]
keys <- keys[ave(seq_along(keys), entry_of[keys], FUN = seq_along) <= most]

# list(value, arguments, complaints), the arguments as the call leaves them. A function among them is called
# as often as the entry point asks for it. Complaints are R's own, say of a stack of pointers out of balance.
answer <- function(record, step) {
  set.seed(1)
  arguments <- deep_copy(record$arguments)
  call <- as.call(c(list(base::.Call, record$entry), arguments))
  said <- tempfile()
  to <- file(said, "w")
  sink(to, type = "message")
  if (step > 0) {
    Sys.setenv(REUSE_FREED = "yes") # reuse.h
    gctorture2(step)
  }
  value <- tryCatch(eval(call), error = conditionMessage)
  gctorture2(0)
  Sys.unsetenv("REUSE_FREED")
  sink(type = "message")
  close(to)
  list(value = value, arguments = Filter(Negate(is.function), arguments), complaints = readLines(said))
}

failed <- 0
for (key in keys) {
  record <- recorded[[key]]
  plain <- answer(record, 0)
  tortured <- answer(record, step)
  if (length(c(plain$complaints, tortured$complaints)) || !identical(plain, tortured)) {
    failed <- failed + 1
    cat("DIFFERS:", key, plain$complaints, tortured$complaints, "", sep = "\n  ")
  }
  if (nzchar(Sys.getenv("VERBOSE"))) cat(record$entry$name, "", file = stderr())
}
missed <- not_recorded()
if (length(missed)) cat("not called:", missed, "\n")
cat(length(keys), "calls of", length(unique(entry_of)), "entry points,", failed, "differ\n")
quit(status = failed > 0 || length(missed) > 0)
