import os

from pyspark.sql import SparkSession
from pyspark.sql.functions import udf


def score(value):
    if value == 77:
        os._exit(139)  # as a native library that crashes
    return value * 2


spark = SparkSession.builder.getOrCreate()
spark.range(100).select(udf(score, "long")("id").alias("score")).agg({"score": "sum"}).show()
spark.stop()
