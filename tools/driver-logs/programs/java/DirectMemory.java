package com.example;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/** Allocates more direct buffers than the JVM is allowed to have. */
public class DirectMemory {
    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        List<ByteBuffer> buffers = new ArrayList<>();
        while (buffers.size() < 10_000) {
            buffers.add(ByteBuffer.allocateDirect(8 << 20));
        }
        System.out.println(buffers.size());
    }
}
