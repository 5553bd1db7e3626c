"""Runs a query, then one with another grouping from the same checkpoint, as after an upgrade of the application."""
import os

from pyspark.sql import SparkSession

SCHEMA = "country STRING, product STRING, amount DOUBLE"


def write_sales(name):
    os.makedirs("/tmp/sales", exist_ok=True)
    with open(f"/tmp/sales/{name}.json", "w", encoding="utf-8") as file:
        file.write('{"country": "de", "product": "shoes", "amount": 12.5}\n')


def start(spark, *keys):
    sales = spark.readStream.schema(SCHEMA).json("/tmp/sales")
    totals = sales.groupBy(*keys).count().writeStream.outputMode("update")
    return totals.option("checkpointLocation", "/tmp/checkpoints/sales").format("console").start()


spark = SparkSession.builder.config("spark.sql.shuffle.partitions", 1).getOrCreate()
write_sales("0001")
first = start(spark, "country")
first.processAllAvailable()
first.stop()

write_sales("0002")
start(spark, "country", "product").awaitTermination()
