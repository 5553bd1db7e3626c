package com.example

import java.time.LocalDate

import org.apache.spark.sql.SparkSession

/** A precondition that the arguments do not meet. */
object DateRange {
  def days(from: LocalDate, to: LocalDate): Long = {
    require(!to.isBefore(from), s"the range ends ($to) before it begins ($from)")
    to.toEpochDay - from.toEpochDay + 1
  }

  def main(args: Array[String]): Unit = {
    val spark = SparkSession.builder().getOrCreate()
    println(spark.range(days(LocalDate.parse(args(0)), LocalDate.parse(args(1)))).count())
  }
}
