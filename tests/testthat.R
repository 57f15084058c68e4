library(testthat)
library(landmarker)

test_check("landmarker")
