message("training the forecast")
library(forecast)

fit <- auto.arima(AirPassengers)
print(forecast(fit, h = 12))
