# The fuzz: hostile calls of the exported functions, of the entries of the C code, and with altered objects.
# Each script runs in processes of its own, so that a crash is counted. R CMD check runs the files in tests/
# only, and not those in its folders.
#
#   Rscript tests/fuzz/run.R [short] [SEED]      with the package installed (`make install`)

asked <- commandArgs(TRUE)
short <- "short" %in% asked
seed <- c(setdiff(asked, "short"), "1")[1]
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))

# Calls for each function, entry or class.
targets <- list(functions = c(short = 1, long = 80), entries = c(short = 3, long = 400),
  objects = c(short = 2, long = 400))

failed <- character()
total <- 0
for (target in names(targets)) {
  script <- file.path(here, paste0(target, ".R"))
  if (!file.exists(script)) next
  cat("\n## ", target, "\n", sep = "")
  calls <- targets[[target]][[if (short) "short" else "long"]]
  rscript <- file.path(R.home("bin"), "Rscript")
  # A call that asks for all of the memory must not take it from the machine.
  command <- paste("ulimit -v 12000000;", paste(shQuote(c(rscript, script, calls, seed)), collapse = " "))
  out <- tempfile()
  # What a crash writes about itself is not of use here: the report names the call.
  status <- system2("sh", c("-c", shQuote(command)), stdout = out, stderr = FALSE)
  lines <- readLines(out, warn = FALSE)
  writeLines(lines)
  if (status != 0) failed <- c(failed, target)
  counts <- grep("^[0-9]+ calls, [0-9]+ [a-z]+$", lines, value = TRUE)
  total <- total + sum(as.numeric(sub(" .*", "", counts)))
}
cat("\n", total, " hostile calls with the seed ", seed, ": ", sep = "")
cat(if (length(failed)) paste("faults in", toString(failed)) else "no fault", "\n", sep = "")
quit(status = length(failed) > 0)
