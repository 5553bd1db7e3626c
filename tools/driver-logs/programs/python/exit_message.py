import sys

from pyspark.sql import SparkSession


def check(frame, day):
    if frame.filter(frame.day == day).isEmpty():
        sys.exit(f"no orders for {day}: is the import of the shop complete?")


if __name__ == "__main__":
    spark = SparkSession.builder.getOrCreate()
    orders = spark.createDataFrame([("2026-11-25", 7)], ["day", "orders"])
    check(orders, "2026-11-27")
    orders.show()
