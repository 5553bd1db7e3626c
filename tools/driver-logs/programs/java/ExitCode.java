package com.example;

import org.apache.spark.sql.SparkSession;

/** Ends with an exit code of its own. */
public class ExitCode {
    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        long rejected = spark.range(100).filter("id % 9 = 0").count();
        if (rejected > 10) {
            System.err.println("12 of 100 rows were rejected, which is more than the limit of 10");
            System.exit(2);
        }
        spark.stop();
    }
}
