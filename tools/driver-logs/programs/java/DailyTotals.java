package com.example;

import org.apache.spark.sql.SparkSession;

/** Calls a method that an older Spark does not have. */
public class DailyTotals {
    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        spark.addTag("daily-totals");
        System.out.println(spark.range(31).count());
    }
}
