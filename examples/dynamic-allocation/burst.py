"""Has a burst of work and then none, so that dynamic allocation adds executors and removes them.

    burst.py LEAST MOST

It keeps tasks waiting until there are MOST executors, then does nothing until only LEAST are left, and then works a little more,
for so long that one can see the few executors of a running application.
"""
import sys
import time

from py4j.protocol import Py4JJavaError
from pyspark import InheritableThread, SparkContext
from pyspark.sql import SparkSession

PATIENCE = 600
SHOWN = 10  # seconds
BURST = "burst"


def executors(context: SparkContext) -> int:
    return context._jsc.sc().getExecutorMemoryStatus().size() - 1  # the driver is among them


def work(context: SparkContext, tasks: int) -> None:
    context.parallelize(range(tasks), tasks).foreach(lambda _: time.sleep(1))


def burst(context: SparkContext) -> None:
    """Runs a job with more tasks than executors can finish, until it is cancelled: no executor is idle meanwhile."""
    context.setJobGroup(BURST, "work for more executors", interruptOnCancel=True)
    try:
        work(context, 10 * PATIENCE)
    except Py4JJavaError as error:
        if "cancelled" not in str(error):
            raise


def main() -> None:
    least, most = int(sys.argv[1]), int(sys.argv[2])
    spark = SparkSession.builder.getOrCreate()
    context = spark.sparkContext
    end = time.monotonic() + PATIENCE
    thread = InheritableThread(target=burst, args=[context])
    thread.start()
    while executors(context) < most and thread.is_alive() and time.monotonic() < end:
        time.sleep(0.2)
    print(f"Scaled up to {executors(context)} executors", flush=True)
    while thread.is_alive():
        context.cancelJobGroup(BURST)
        thread.join(0.2)
    while executors(context) > least and time.monotonic() < end:
        time.sleep(0.2)
    print(f"Scaled down to {executors(context)} executors", flush=True)
    for _ in range(SHOWN):
        work(context, 1)
    spark.stop()


if __name__ == "__main__":
    main()
