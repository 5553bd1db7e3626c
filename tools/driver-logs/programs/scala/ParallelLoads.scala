package com.example

import scala.concurrent.{Await, Future}
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration._

import org.apache.spark.sql.SparkSession

/** One of several loads that run at the same time fails. */
object ParallelLoads {
  case class LoadFailed(table: String) extends Exception(s"load of $table failed: 3 partitions are missing")

  def load(spark: SparkSession, table: String): Long =
    if (table == "returns") throw LoadFailed(table) else spark.range(10).count()

  def main(args: Array[String]): Unit = {
    val spark = SparkSession.builder().getOrCreate()
    val loads = Seq("orders", "returns", "customers").map(table => Future(load(spark, table)))
    println(Await.result(Future.sequence(loads), 5.minutes).sum)
  }
}
