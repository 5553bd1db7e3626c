import os

from pyspark.sql import SparkSession

os.makedirs("/tmp/landing/prices")
with open("/tmp/landing/prices/part-00000.parquet", "w", encoding="utf-8") as file:
    file.write("product;price\n1;9.99\n" * 20)

spark = SparkSession.builder.getOrCreate()
prices = spark.read.schema("product INT, price DOUBLE").parquet("/tmp/landing/prices")
prices.groupBy("product").avg("price").show()
