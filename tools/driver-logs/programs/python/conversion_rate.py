import sys

from pyspark.sql import SparkSession


def conversion_rate(orders, visits):
    return 100.0 * orders / visits


def main(day):
    spark = SparkSession.builder.getOrCreate()
    visits = spark.createDataFrame([("2026-11-26", 10)], ["day", "count"])
    orders = spark.createDataFrame([("2026-11-26", 2)], ["day", "count"])
    rate = conversion_rate(orders.filter(orders.day == day).count(), visits.filter(visits.day == day).count())
    print(f"conversion rate of {day}: {rate:.2f} %")


if __name__ == "__main__":
    main(sys.argv[1])
