"""Estimates pi: throws darts at a square, and counts those that hit the circle in it.

    pi.py [partitions]
"""
import random
import sys

from pyspark.sql import SparkSession

DARTS_PER_PARTITION = 100_000


def count_hits(seed: int) -> int:
    dice = random.Random(seed)
    return sum(dice.random() ** 2 + dice.random() ** 2 <= 1 for _ in range(DARTS_PER_PARTITION))


def main() -> None:
    partitions = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    spark = SparkSession.builder.appName("pi").getOrCreate()
    hits = spark.sparkContext.parallelize(range(partitions), partitions).map(count_hits).sum()
    print(f"Pi is roughly {4 * hits / (DARTS_PER_PARTITION * partitions):.5f}")
    spark.stop()


if __name__ == "__main__":
    main()
