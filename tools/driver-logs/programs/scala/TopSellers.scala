package com.example

import org.apache.spark.sql.SparkSession

/** The first element of an empty result. */
object TopSellers {
  def main(args: Array[String]): Unit = {
    val spark = SparkSession.builder().getOrCreate()
    import spark.implicits._
    val sales = Seq(("shoes", 12), ("hats", 3)).toDF("product", "sold")
    val best = sales.filter($"sold" > 100).as[(String, Int)].collect().headOption
    println(s"best seller: ${best.get._1}")
  }
}
