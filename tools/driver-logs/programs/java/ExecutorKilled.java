package com.example;

import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Ends the executor of each attempt of a task as the kernel does when a container exceeds its memory. */
public class ExecutorKilled {
    static int parse(int part) {
        if (part == 2) {
            Runtime.getRuntime().halt(137);
        }
        return part;
    }

    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        System.out.println(context.parallelize(List.of(1, 2), 2).map(ExecutorKilled::parse).collect());
    }
}
