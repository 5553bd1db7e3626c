import json

from pyspark.sql import SparkSession


class ConfigurationError(Exception):
    """The job's configuration cannot be used."""


def load_configuration(text):
    try:
        return json.loads(text)["target"]["table"]
    except KeyError as error:
        raise ConfigurationError(f"the configuration has no {error.args[0]!r} below 'target'") from error


def main():
    spark = SparkSession.builder.getOrCreate()
    table = load_configuration('{"target": {"database": "reports"}}')
    spark.range(10).write.saveAsTable(table)


if __name__ == "__main__":
    main()
