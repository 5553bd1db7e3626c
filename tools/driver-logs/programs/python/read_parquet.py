import sys

from pyspark.sql import SparkSession


def main(source):
    spark = SparkSession.builder.getOrCreate()
    sales = spark.read.parquet(source)
    print(sales.count())


if __name__ == "__main__":
    main(sys.argv[1])
