package com.example;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/** Keeps too much in the memory of the driver. */
public class CollectAll {
    private static final List<long[]> CACHE = new ArrayList<>();

    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        long blocks = spark.range(1_000_000).count();
        fill(blocks);
    }

    static void fill(long blocks) {
        for (long i = 0; i < blocks; i++) {
            CACHE.add(new long[1 << 18]);
        }
    }
}
