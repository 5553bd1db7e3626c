import sys

from pyspark.sql import SparkSession

from forecasting.models import train


def main():
    spark = SparkSession.builder.getOrCreate()
    train(spark.read.parquet(sys.argv[1]))


if __name__ == "__main__":
    main()
