from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def save(frame, folder):
    frame.write.mode("overwrite").parquet(folder)


spark = SparkSession.builder.getOrCreate()
save(spark.range(0, 500_000, 1, 2).withColumn("hash", F.sha2(F.col("id").cast("string"), 512)), "/data/reports/hashes")
