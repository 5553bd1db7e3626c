from pyspark.sql import SparkSession

QUERY = """
SELECT country,
       sum(amount) AS revenue
FROM orders
WHERE order_date >= '2026-11-01'
GROUP country
"""

spark = SparkSession.builder.getOrCreate()
spark.createDataFrame([("de", 12.5, "2026-11-03")], ["country", "amount", "order_date"]).createOrReplaceTempView("orders")
spark.sql(QUERY).show()
