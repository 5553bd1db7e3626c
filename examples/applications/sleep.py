"""Keeps executors busy for a while, each with one task.

    sleep.py [seconds] [tasks]
"""
import sys
import time

from pyspark.sql import SparkSession


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    tasks = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    spark = SparkSession.builder.appName("sleep").getOrCreate()
    spark.sparkContext.parallelize(range(tasks), tasks).foreach(lambda _: time.sleep(seconds))
    print(f"Slept {seconds:g} seconds in {tasks} tasks: done")
    spark.stop()


if __name__ == "__main__":
    main()
