summarise <- function(sales) {
  aggregate(amount ~ country, data = sales, FUN = sum)
}

sales <- data.frame(country = c("de", "fr"), amount = c(12.5, 8))
print(summarise(sales))
print(summarise(returns))
