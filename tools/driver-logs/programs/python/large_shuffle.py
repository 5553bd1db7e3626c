from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.config("spark.sql.shuffle.partitions", 8).getOrCreate()
events = spark.range(0, 2_000_000, 1, 4).withColumn("key", F.sha2(F.col("id").cast("string"), 512))
print(events.repartition("key").groupBy("key").count().count())
spark.stop()
