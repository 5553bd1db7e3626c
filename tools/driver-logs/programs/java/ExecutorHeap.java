package com.example;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Keeps too much in the memory of an executor. */
public class ExecutorHeap {
    static int expand(int key) {
        List<byte[]> rows = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            rows.add(new byte[1 << 20]);
        }
        return rows.size() + key;
    }

    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        System.out.println(context.parallelize(List.of(1, 2), 2).map(ExecutorHeap::expand).collect());
    }
}
