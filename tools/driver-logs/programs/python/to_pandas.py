from pyspark.sql import SparkSession


def monthly(spark):
    sales = spark.createDataFrame([("2026-10", 12.0), ("2026-11", 14.0)], ["month", "amount"])
    return sales.groupBy("month").sum("amount").toPandas()


if __name__ == "__main__":
    print(monthly(SparkSession.builder.getOrCreate()).to_string())
