from pyspark.sql import SparkSession


def session():
    spark = SparkSession.builder.getOrCreate()
    spark.conf.set("spark.sql.shuffle.partitions", "auto")
    return spark


session().range(100).groupBy("id").count().show()
