from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
ticks = spark.readStream.format("rate").option("rowsPerSecond", 1).load()
query = ticks.groupBy().count().writeStream.outputMode("complete").format("console").trigger(processingTime="2 seconds").start()
query.awaitTermination()
