"""Counts and shouts the words of a dictionary that are not stop words.

It needs the Python file counting.py, the package shouting (in a zip), the file stopwords.txt and the archive dictionary
(with words.txt in it), and finds them as Spark hands out dependencies.
"""
from pathlib import Path

from pyspark import SparkFiles
from pyspark.sql import SparkSession

from counting import count


def lines(path: str) -> list[str]:
    return Path(SparkFiles.get(path)).read_text().split()


def shouted(word: str) -> list[str]:
    from shouting import shout  # in the executor

    return [] if word in lines("stopwords.txt") or word not in lines("dictionary/words.txt") else [shout(word)]


def main() -> None:
    spark = SparkSession.builder.getOrCreate()
    words = lines("dictionary/words.txt")
    result = spark.sparkContext.parallelize(words, 2).flatMap(shouted).collect()
    print(f"{count(result)} of {len(words)} words: {' '.join(sorted(result))}")
    spark.stop()


if __name__ == "__main__":
    main()
