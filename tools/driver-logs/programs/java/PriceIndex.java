package com.example;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import java.util.List;

/** Uses a field of an object that cannot be serialized in a task. */
public class PriceIndex {
    private final double base = 1.07;

    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        System.out.println(new PriceIndex().index(context.parallelize(List.of(1.0, 2.0, 3.0))));
    }

    List<Double> index(JavaRDD<Double> prices) {
        return prices.map(price -> price * base).collect();
    }
}
