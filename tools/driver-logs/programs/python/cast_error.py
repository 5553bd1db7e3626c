from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def parse(frame):
    return frame.select(F.col("quantity").cast("int").alias("quantity"))


spark = SparkSession.builder.getOrCreate()
lines = spark.createDataFrame([("4",), ("12",), ("n/a",)], ["quantity"])
parse(lines).agg(F.sum("quantity")).show()
