"""Does in each attempt something else, to try out what happens between attempts.

    attempts.py DEED...

The first deed is for the first attempt and so on, and the last also for all further attempts:

    done    ends well at once
    fail    fails, as a program does whose input is late
    wait    waits until there is a file /tmp/enough in the driver
    work    the same, and runs a query and then small jobs on executors meanwhile

The variable ATTEMPT has the number of the attempt, from the label that the operator gives the driver.
"""
import os
import sys
import time
from pathlib import Path

from pyspark.sql import SparkSession


def is_enough() -> bool:
    return Path("/tmp/enough").exists()


def wait() -> None:
    while not is_enough():
        time.sleep(0.2)


def work() -> None:
    spark = SparkSession.builder.getOrCreate()
    spark.range(2).count()
    while not is_enough():
        spark.sparkContext.parallelize(range(2), 2).foreach(lambda _: time.sleep(0.5))
    spark.stop()


def main() -> None:
    deeds, attempt = sys.argv[1:], int(os.environ["ATTEMPT"])
    deed = deeds[min(attempt, len(deeds)) - 1]
    print(f"Attempt {attempt}: {deed}", flush=True)
    if deed == "fail":
        raise RuntimeError("the input table is not there yet")
    if deed != "done":
        {"wait": wait, "work": work}[deed]()


if __name__ == "__main__":
    main()
