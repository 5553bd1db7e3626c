"""What a user does: a session, a query on a DataFrame, and another when told to. Reads lines, writes lines."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

remote = sys.argv[1]
for line in sys.stdin:
    command = line.strip()
    try:
        if command == "open":
            spark = SparkSession.builder.remote(remote).create()
            print("opened", flush=True)
        elif command == "query":
            frame = spark.range(1000).withColumn("group", F.col("id") % 3).groupBy("group").agg(F.sum("id").alias("total")).orderBy("group")
            print("totals", [row["total"] for row in frame.collect()], flush=True)
        elif command.startswith("property "):
            print("is", spark.conf.get(command.split(" ", 1)[1]), flush=True)
        elif command == "close":
            spark.stop()
            print("closed", flush=True)
    except Exception as error:  # what went wrong is for the test to judge
        print("failed", type(error).__name__, str(error).replace("\n", " ")[:300], flush=True)
