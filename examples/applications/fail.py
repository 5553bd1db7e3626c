"""Fails, as a program does whose input has gone missing."""
from pyspark.sql import SparkSession

SparkSession.builder.appName("fail").getOrCreate()
print("Looking for the input table")
raise RuntimeError("the input table is missing")
