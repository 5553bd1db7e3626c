from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
print(spark.range(1000).selectExpr("sum(id) AS total").first().total)
spark.stop()
