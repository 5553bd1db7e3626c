package com.example

import org.apache.spark.sql.SparkSession

/** A state that no case covers. */
object OrderStates {
  def weight(state: String): Int = state match {
    case "open" => 1
    case "paid" => 2
  }

  def main(args: Array[String]): Unit = {
    val spark = SparkSession.builder().getOrCreate()
    val states = spark.range(1).selectExpr("'returned' AS state").collect().map(_.getString(0))
    println(states.map(weight).sum)
  }
}
