package com.example;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.spark.sql.SparkSession;

/** Fails twice wrapped: the file with the settings is missing. */
public class InvoiceExport {
    static class ExportException extends RuntimeException {
        ExportException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        try {
            export(spark, settings(args[0]));
        } catch (IllegalStateException error) {
            throw new ExportException("export of invoices failed", error);
        }
    }

    static Properties settings(String file) {
        Properties settings = new Properties();
        try {
            settings.load(new java.io.StringReader(Files.readString(Path.of(file), StandardCharsets.UTF_8)));
        } catch (IOException error) {
            throw new IllegalStateException("cannot read the settings", error);
        }
        return settings;
    }

    static void export(SparkSession spark, Properties settings) {
        spark.range(10).write().csv(settings.getProperty("target"));
    }
}
