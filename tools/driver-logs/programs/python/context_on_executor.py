from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext
rates = {"usd": 1.08, "chf": 0.94}


def convert(row):
    table = sc.broadcast(rates)
    return row[0], row[1] * table.value[row[0]]


print(sc.parallelize([("usd", 10.0), ("chf", 3.0)]).map(convert).collect())
