from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
report = spark.range(1000).selectExpr("id", "id % 10 AS bucket")
report.write.mode("overwrite").parquet("/data/reports/daily")
spark.stop()
