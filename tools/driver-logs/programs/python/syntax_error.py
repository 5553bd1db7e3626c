from pyspark.sql import SparkSession


def top_products(sales, limit=10):
    ranked = sales.groupBy("product").sum("amount"
    return ranked.orderBy("sum(amount)", ascending=False).limit(limit)


if __name__ == "__main__":
    spark = SparkSession.builder.getOrCreate()
    top_products(spark.table("sales")).show()
