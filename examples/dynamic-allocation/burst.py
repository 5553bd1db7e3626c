"""Has a burst of work and then none, so that dynamic allocation adds executors and removes them.

    burst.py LEAST MOST

It keeps tasks waiting until there are MOST executors, then does nothing until only LEAST are left, and then works a little more,
for so long that one can see the few executors of a running application.
"""
import sys
import time

from pyspark import SparkContext
from pyspark.sql import SparkSession

PATIENCE = 240
SHOWN = 10  # seconds


def executors(context: SparkContext) -> int:
    return context._jsc.sc().getExecutorMemoryStatus().size() - 1  # the driver is among them


def work(context: SparkContext, tasks: int) -> None:
    context.parallelize(range(tasks), tasks).foreach(lambda _: time.sleep(1))


def main() -> None:
    least, most = int(sys.argv[1]), int(sys.argv[2])
    spark = SparkSession.builder.getOrCreate()
    context = spark.sparkContext
    end = time.monotonic() + PATIENCE
    while executors(context) < most and time.monotonic() < end:
        work(context, 2 * most)
    print(f"Scaled up to {executors(context)} executors", flush=True)
    while executors(context) > least and time.monotonic() < end:
        time.sleep(0.2)
    print(f"Scaled down to {executors(context)} executors", flush=True)
    for _ in range(SHOWN):
        work(context, 1)
    spark.stop()


if __name__ == "__main__":
    main()
