import json
from urllib.request import urlopen

from pyspark.sql import SparkSession


def exchange_rates():
    with urlopen("http://rates.finance.svc.cluster.local:8080/latest", timeout=10) as answer:
        return json.load(answer)


if __name__ == "__main__":
    spark = SparkSession.builder.getOrCreate()
    rates = exchange_rates()
    spark.createDataFrame(rates.items(), ["currency", "rate"]).show()
