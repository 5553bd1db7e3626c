import sys

from pyspark.sql import SparkSession


def read_events(spark, day):
    return spark.read.json(f"/data/events/{day}/*.json")


def main(day):
    spark = SparkSession.builder.getOrCreate()
    events = read_events(spark, day)
    events.groupBy("type").count().show()


if __name__ == "__main__":
    main(sys.argv[1])
