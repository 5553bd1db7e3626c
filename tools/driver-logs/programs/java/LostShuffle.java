package com.example;

import java.io.File;
import java.util.List;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/** Removes the files of a shuffle again and again, as a disk does that fails. */
public class LostShuffle {
    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        Thread disk = new Thread(() -> {
            while (true) {
                removeShuffle(new File("/var/data"));
            }
        });
        disk.setDaemon(true);
        disk.start();
        JavaPairRDD<Integer, Integer> pairs = context.parallelize(List.of(1, 2, 3, 4), 4).mapToPair(value -> new Tuple2<>(value % 2, value));
        System.out.println(pairs.reduceByKey(Integer::sum, 2).collect());
    }

    static void removeShuffle(File folder) {
        File[] files = folder.listFiles();
        if (files == null) {
            return;
        }
        for (File file : files) {
            if (file.isDirectory()) {
                removeShuffle(file);
            } else if (file.getName().startsWith("shuffle_") && file.getName().endsWith(".data")) {
                file.delete();
            }
        }
    }
}
