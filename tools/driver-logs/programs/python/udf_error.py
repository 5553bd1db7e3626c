from pyspark.sql import SparkSession
from pyspark.sql.functions import udf


def unit_price(amount, quantity):
    return amount / quantity


spark = SparkSession.builder.getOrCreate()
price = udf(unit_price, "double")
items = spark.createDataFrame([(10.0, 2), (7.5, 3), (4.0, 0)], ["amount", "quantity"])
items.withColumn("unit_price", price("amount", "quantity")).show()
spark.stop()
