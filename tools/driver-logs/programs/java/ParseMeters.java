package com.example;

import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** A record that cannot be parsed fails a task on an executor. */
public class ParseMeters {
    static int reading(String line) {
        return Integer.parseInt(line.split(";")[1]);
    }

    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        int total = context.parallelize(List.of("m-1;120", "m-2;97", "m-3;1O4"), 2)
            .map(ParseMeters::reading)
            .reduce(Integer::sum);
        System.out.println(total);
    }
}
