import logging
import sys

from pyspark.sql import SparkSession

logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.INFO)
log = logging.getLogger("etl.invoices")


def run(spark):
    log.info("reading invoices")
    invoices = spark.createDataFrame([("A-1", "12.50"), ("A-2", "7,90")], ["number", "total"])
    return sum(float(row.total) for row in invoices.collect())


if __name__ == "__main__":
    session = SparkSession.builder.getOrCreate()
    try:
        log.info("total: %.2f", run(session))
    except Exception:
        log.exception("the run failed")
        session.stop()
        log.info("cleaned up")
        sys.exit(1)
