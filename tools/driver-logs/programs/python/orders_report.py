from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def load(spark):
    return spark.createDataFrame([(1, "de", 12.5), (2, "fr", 8.0)], ["order_id", "country", "amount"])


def revenue(orders):
    return orders.groupBy("country").agg(F.sum("amonut").alias("revenue"))


if __name__ == "__main__":
    spark = SparkSession.builder.appName("orders-report").getOrCreate()
    revenue(load(spark)).show()
    spark.stop()
