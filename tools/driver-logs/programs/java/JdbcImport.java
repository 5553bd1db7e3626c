package com.example;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Reads a table of PostgreSQL. */
public class JdbcImport {
    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        read(spark, args[0]).write().parquet("/tmp/accounts");
    }

    static Dataset<Row> read(SparkSession spark, String url) {
        return spark.read().format("jdbc")
            .option("url", url)
            .option("dbtable", "public.accounts")
            .option("user", "reader")
            .option("password", System.getenv().getOrDefault("DB_PASSWORD", ""))
            .load();
    }
}
