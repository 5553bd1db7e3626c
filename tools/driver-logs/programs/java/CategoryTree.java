package com.example;

import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** Follows a cycle of parents without end. */
public class CategoryTree {
    private static final Map<String, String> PARENTS = Map.of("shoes", "clothes", "clothes", "sale", "sale", "shoes");

    static int depth(String category) {
        String parent = PARENTS.get(category);
        return parent == null ? 0 : depth(parent) + 1;
    }

    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        System.out.println(depth("shoes") + spark.range(3).count());
    }
}
