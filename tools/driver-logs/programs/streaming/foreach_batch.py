from pyspark.sql import SparkSession


def upsert(batch, batch_id):
    columns = set(batch.columns)
    if "updated_at" not in columns:
        raise ValueError(f"batch {batch_id} has no column updated_at, only {sorted(columns)}")
    batch.write.mode("append").parquet("/tmp/lake/customers")


def main():
    spark = SparkSession.builder.getOrCreate()
    changes = spark.readStream.format("rate").option("rowsPerSecond", 5).load()
    query = changes.writeStream.foreachBatch(upsert).start()
    query.awaitTermination()


if __name__ == "__main__":
    main()
