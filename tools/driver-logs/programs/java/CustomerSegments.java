package com.example;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** Dereferences a value that a map does not have. */
public class CustomerSegments {
    private final Map<String, String> tables = new HashMap<>();

    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        new CustomerSegments().run(spark);
    }

    void run(SparkSession spark) {
        tables.put("customers", "crm.customers");
        String table = tables.get("segments");
        spark.table(table.toLowerCase()).show();
    }
}
