check <- function(rows, limit) {
  if (rows > limit) {
    stop("too many rejected rows: ", rows, " of at most ", limit)
  }
  rows
}

message("checking the import of 2026-11-27")
check(rows = 117, limit = 50)
