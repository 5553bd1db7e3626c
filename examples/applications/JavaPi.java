import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Estimates pi like {@code pi.py}, in the JVM. The argument is the number of partitions. */
public final class JavaPi {
  private static final int DARTS_PER_PARTITION = 100_000;

  private JavaPi() {
  }

  public static void main(String[] args) {
    int partitions = args.length > 0 ? Integer.parseInt(args[0]) : 2;
    SparkSession spark = SparkSession.builder().appName("java-pi").getOrCreate();

    List<Integer> seeds = new ArrayList<>();
    for (int seed = 0; seed < partitions; seed++) {
      seeds.add(seed);
    }
    long hits = new JavaSparkContext(spark.sparkContext()).parallelize(seeds, partitions).map(JavaPi::countHits).reduce(Long::sum);

    System.out.println("Pi is roughly " + 4.0 * hits / ((double) DARTS_PER_PARTITION * partitions));
    spark.stop();
  }

  private static long countHits(int seed) {
    SplittableRandom dice = new SplittableRandom(seed);
    long hits = 0;
    for (int dart = 0; dart < DARTS_PER_PARTITION; dart++) {
      double x = dice.nextDouble();
      double y = dice.nextDouble();
      if (x * x + y * y <= 1) {
        hits++;
      }
    }
    return hits;
  }
}
