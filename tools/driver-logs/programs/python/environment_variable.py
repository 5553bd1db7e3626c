import os

from pyspark.sql import SparkSession

spark = SparkSession.builder.appName("export").getOrCreate()
target = os.environ["EXPORT_BUCKET"]
spark.range(100).write.parquet(f"s3a://{target}/export")
