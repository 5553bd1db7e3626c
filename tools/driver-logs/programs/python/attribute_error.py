from pyspark.sql import SparkSession


def latest(spark):
    runs = spark.createDataFrame([("2026-11-25", "ok")], ["day", "state"])
    return runs.filter("state = 'failed'").orderBy("day").first()


def main():
    spark = SparkSession.builder.getOrCreate()
    print("last failed day:", latest(spark).asDict()["day"])


main()
