package com.example;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** Fills the heap with small objects, so that the JVM does little but collect garbage. */
public class SlowLeak {
    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        Map<Long, String> seen = new HashMap<>();
        for (long i = 0; i < Long.MAX_VALUE; i++) {
            seen.put(i, "key-" + i);
        }
        System.out.println(seen.size());
    }
}
