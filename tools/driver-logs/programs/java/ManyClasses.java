package com.example;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/** Loads the same class again and again, each time by another loader, as a script engine might. */
public class ManyClasses {
    public static class Rule {
        public String name() {
            return "rule";
        }
    }

    static class RuleLoader extends ClassLoader {
        Class<?> load() throws Exception {
            try (InputStream code = ManyClasses.class.getResourceAsStream("ManyClasses$Rule.class")) {
                byte[] bytes = code.readAllBytes();
                return defineClass("com.example.ManyClasses$Rule", bytes, 0, bytes.length);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        SparkSession spark = SparkSession.builder().getOrCreate();
        List<Object> rules = new ArrayList<>();
        while (rules.size() < 10_000_000) {
            rules.add(new RuleLoader().load().getDeclaredConstructor().newInstance());
        }
        System.out.println(rules.size());
    }
}
