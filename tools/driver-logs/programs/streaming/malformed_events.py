import os

from pyspark.sql import SparkSession

os.makedirs("/tmp/landing/events")
with open("/tmp/landing/events/0001.json", "w", encoding="utf-8") as file:
    file.write('{"id": 1, "type": "click"}\n{"id": 2, "type": \n')

spark = SparkSession.builder.getOrCreate()
events = spark.readStream.schema("id INT, type STRING").option("mode", "FAILFAST").json("/tmp/landing/events")
counts = events.groupBy("type").count()
query = counts.writeStream.outputMode("complete").format("memory").queryName("counts").start()
query.awaitTermination()
