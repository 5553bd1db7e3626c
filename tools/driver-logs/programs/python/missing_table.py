from pyspark.sql import SparkSession


def main():
    spark = SparkSession.builder.getOrCreate()
    customers = spark.table("crm.customers")
    customers.filter("active").write.mode("overwrite").parquet("/tmp/active-customers")


if __name__ == "__main__":
    main()
