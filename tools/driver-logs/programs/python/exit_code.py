import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
rows = spark.range(0, 1000).filter("id % 7 = 8").count()
print(f"found {rows} rows")
if rows == 0:
    sys.exit(3)
spark.stop()
