package com.example

import org.apache.spark.sql.SparkSession

/** The value of an object cannot be computed. */
object Regions {
  private val setting: String = sys.env.getOrElse("REGIONS", "")
  val all: Seq[String] = if (setting.isEmpty) throw new IllegalStateException("REGIONS is not set") else setting.split(",").toSeq
}

object RegionReport {
  def main(args: Array[String]): Unit = {
    val spark = SparkSession.builder().getOrCreate()
    println(s"${Regions.all.size} regions, ${spark.range(5).count()} rows")
  }
}
