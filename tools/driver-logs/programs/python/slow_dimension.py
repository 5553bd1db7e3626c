import time

from pyspark.sql import SparkSession
from pyspark.sql.functions import broadcast, udf


def enrich(spark):
    def slowly(value):
        time.sleep(8)
        return value

    regions = spark.range(0, 4, 1, 2).select(udf(slowly, "long")("id").alias("id"))
    return spark.range(100).join(broadcast(regions), "id")


spark = SparkSession.builder.config("spark.sql.broadcastTimeout", 4).getOrCreate()
enrich(spark).show()
