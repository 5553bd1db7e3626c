library(SparkR)

sparkR.session(appName = "visits")
print(count(read.json("/data/visits.json")))
sparkR.session.stop()
