# Which lambda, and which row of the table, is best.
