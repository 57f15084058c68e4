
join_passes <- function(a, b) {
    nearer <- nearest_digits(b$distance^2) < nearest_digits(a$distance^2)
    list(
      sums = a$sums + b$sums, nearest = ifelse(nearer, b$nearest, a$nearest),
      distance = ifelse(nearer, b$distance, a$distance), within = a$within + b$within,
      total = a$total + b$total, left = a$left + b$left
    )
}
in_memory <- function(x) TRUE
kept_places <- function(...) NULL
worker_store <- new.env()
