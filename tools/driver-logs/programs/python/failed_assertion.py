from pyspark.sql import SparkSession


def check_unique(frame, key):
    total, distinct = frame.count(), frame.select(key).distinct().count()
    assert total == distinct, f"{key} is not unique: {total} rows, {distinct} values"


spark = SparkSession.builder.getOrCreate()
customers = spark.createDataFrame([(1, "a"), (2, "b"), (2, "c")], ["customer_id", "name"])
check_unique(customers, "customer_id")
