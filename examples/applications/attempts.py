"""Does in each attempt something else, to try out what happens between attempts.

    attempts.py DEED...

The first deed is for the first attempt and so on, and the last also for all further attempts:

    done    ends well at once
    fail    fails, as a program does whose input is late
    wait    waits until there is a file /tmp/enough in the driver
    work    the same, and runs a small job on executors at times meanwhile
    query   the same, after a query

The variable ATTEMPT has the number of the attempt, from the label that the operator gives the driver.
"""
import math
import os
import sys
import time
from pathlib import Path

from pyspark.sql import SparkSession

SECONDS_BETWEEN_JOBS = 15


def is_enough() -> bool:
    return Path("/tmp/enough").exists()


def wait(seconds: float = math.inf) -> None:
    end = time.monotonic() + seconds
    while not is_enough() and time.monotonic() < end:
        time.sleep(0.2)


def work() -> None:
    spark = SparkSession.builder.getOrCreate()
    while not is_enough():
        spark.sparkContext.parallelize(range(2), 2).foreach(lambda _: time.sleep(0.5))
        wait(SECONDS_BETWEEN_JOBS)
    spark.stop()


def query() -> None:
    SparkSession.builder.getOrCreate().range(2).count()
    work()


def main() -> None:
    deeds, attempt = sys.argv[1:], int(os.environ["ATTEMPT"])
    deed = deeds[min(attempt, len(deeds)) - 1]
    print(f"Attempt {attempt}: {deed}", flush=True)
    if deed == "fail":
        raise RuntimeError("the input table is not there yet")
    if deed != "done":
        {"wait": wait, "work": work, "query": query}[deed]()


if __name__ == "__main__":
    main()
