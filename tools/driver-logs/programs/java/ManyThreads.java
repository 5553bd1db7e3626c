package com.example;

import org.apache.spark.sql.SparkSession;

/** Starts a thread for each request, and none of them ends. */
public class ManyThreads {
    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        for (int i = 0; i < 100_000; i++) {
            Thread request = new Thread(ManyThreads::waitForAnswer, "request-" + i);
            request.setDaemon(true);
            request.start();
        }
    }

    static void waitForAnswer() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
