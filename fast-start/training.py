"""A program for the driver in Python: RDDs, SQL, functions in Python and a stream."""
import tempfile
import time

from pyspark.sql import SparkSession, Window, functions
from pyspark.sql.types import IntegerType

spark = SparkSession.builder.appName("training").getOrCreate()
context = spark.sparkContext
context.parallelize(range(1000), 2).map(lambda number: (number % 10, number)).reduceByKey(lambda a, b: a + b).collect()
context.broadcast([1, 2]).destroy()
context.accumulator(0).add(1)

table = spark.range(10000).withColumn("key", functions.col("id") % 7)
table.groupBy("key").count().orderBy("key").show()
table.createOrReplaceTempView("numbers")
spark.sql("select key, sum(id) as total from numbers group by key having total > 1").join(table, "key").count()
spark.sql("select key, explode(collect_list(id)) as id from numbers where id < 20 group by key").collect()
table.withColumn("rank", functions.row_number().over(Window.partitionBy("key").orderBy("id"))).filter("rank < 3").collect()
twice = functions.udf(lambda number: 2 * number, IntegerType())
rows = spark.createDataFrame([(1, "a"), (2, "b")], ["number", "text"])
rows.select(twice(functions.col("number").cast("int"))).collect()
rows.join(functions.broadcast(table.limit(3)), rows.number == table.id, "left").cache().count()

folder = tempfile.mkdtemp()
for form in ("parquet", "json", "csv", "orc"):
    table.limit(10).write.format(form).partitionBy("key").save(f"{folder}/{form}")
    spark.read.format(form).load(f"{folder}/{form}").filter("key = 1").count()
rows.select("text").write.text(f"{folder}/text")

try:
    import pandas  # noqa: F401
    import pyarrow  # noqa: F401
except ImportError:
    pass
else:
    @functions.pandas_udf("long")
    def increment(numbers: pandas.Series) -> pandas.Series:
        return numbers + 1

    table.select(increment("id")).limit(10).toPandas()

stream = spark.readStream.format("rate").option("rowsPerSecond", 10).load()
query = stream.groupBy(functions.window("timestamp", "10 seconds")).count().writeStream \
    .outputMode("complete").foreachBatch(lambda batch, _: batch.count()).option("checkpointLocation", f"{folder}/checkpoint").start()
deadline = time.time() + 120
while len(query.recentProgress) < 2 and time.time() < deadline:
    query.awaitTermination(1)
query.stop()
spark.stop()
