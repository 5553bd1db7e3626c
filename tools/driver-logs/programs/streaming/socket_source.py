from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = spark.readStream.format("socket").option("host", "localhost").option("port", 9999).load()
query = lines.writeStream.format("console").start()
query.awaitTermination()
