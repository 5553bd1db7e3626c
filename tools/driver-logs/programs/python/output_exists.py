import os

from pyspark.sql import SparkSession


def publish(frame, target):
    frame.coalesce(1).write.csv(target, header=True)


os.makedirs("/tmp/exports/2026-11-27")
spark = SparkSession.builder.getOrCreate()
publish(spark.range(5), "/tmp/exports/2026-11-27")
