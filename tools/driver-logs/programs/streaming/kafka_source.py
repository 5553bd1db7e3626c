from pyspark.sql import SparkSession


def orders(spark):
    return (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", "kafka.messaging.svc:9092")
        .option("subscribe", "orders")
        .load()
    )


spark = SparkSession.builder.getOrCreate()
orders(spark).writeStream.format("console").start().awaitTermination()
