# Writes tests/testthat/golden.csv anew, from the installed package. For changes of numbers that are meant;
# the commit's message says why.
Sys.setenv(NOT_CRAN = "true")
library(landmarker)
run <- new.env(parent = asNamespace("landmarker"))
for (file in c("helper-graph.R", "helper-golden.R")) sys.source(file.path("tests", "testthat", file), run)
table <- run$golden_table()
file <- file.path("tests", "testthat", "golden.csv")
writeLines(paste("#", run$golden_machine()), file)
suppressWarnings(utils::write.table(table, file, append = TRUE, sep = ",", row.names = FALSE, quote = FALSE))
cat(nrow(table), "cases\n")
