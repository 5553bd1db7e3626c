import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

import org.apache.spark.SparkFiles;
import org.apache.spark.api.java.function.FilterFunction;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;

/**
 * Does what {@code words.py} does, in the JVM. The argument is the class that changes each word, from a jar of its own. The file
 * stopwords.txt and the archive dictionary (with words.txt in it) are found as Spark hands out dependencies.
 */
public final class JavaWords {
  private JavaWords() {
  }

  public static void main(String[] args) throws Exception {
    String operator = args[0];
    SparkSession spark = SparkSession.builder().getOrCreate();
    List<String> words = lines("dictionary/words.txt");
    List<String> result = new ArrayList<>(spark.createDataset(words, Encoders.STRING())
        .repartition(2)
        .filter((FilterFunction<String>) word -> lines("dictionary/words.txt").contains(word) && !lines("stopwords.txt").contains(word))
        .map((MapFunction<String, String>) word -> operator(operator).apply(word), Encoders.STRING())
        .collectAsList());
    Collections.sort(result);
    System.out.println(result.size() + " of " + words.size() + " words: " + String.join(" ", result));
    operator(operator); // the driver has it, too
    spark.stop();
  }

  private static List<String> lines(String path) throws IOException {
    return Files.readAllLines(Path.of(SparkFiles.get(path)));
  }

  @SuppressWarnings("unchecked")
  private static UnaryOperator<String> operator(String name) throws ReflectiveOperationException {
    Class<?> type = Class.forName(name, true, Thread.currentThread().getContextClassLoader());
    return (UnaryOperator<String>) type.getDeclaredConstructor().newInstance();
  }
}
