from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def fetch(spark):
    wide = spark.range(0, 20000, 1, 8).withColumn("payload", F.sha2(F.col("id").cast("string"), 512))
    return wide.collect()


if __name__ == "__main__":
    rows = fetch(SparkSession.builder.getOrCreate())
    print(len(rows))
