import org.apache.spark.sql.SparkSession;

/** Fails as a job does whose input is not there. */
public final class JavaFail {
  private JavaFail() {}

  public static void main(String[] arguments) {
    SparkSession.builder().appName("java-fail").getOrCreate();
    throw new IllegalStateException("the input table is missing");
  }
}
