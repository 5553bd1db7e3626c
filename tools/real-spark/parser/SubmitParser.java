import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkSubmit;
import org.apache.spark.deploy.SparkSubmitArguments;
import org.apache.spark.launcher.LauncherArguments;
import scala.Option;
import scala.Tuple2;
import scala.collection.JavaConverters;

/**
 * Reads command lines as bin/spark-submit does, many in one JVM, and submits nothing. Reads one case a line, {"label", "argv", "environment",
 * "files"}, and answers each with a line: {"label", "mainClass", "resource", "arguments", "proxyUser", "properties"}, or {"label", "refusal"}.
 * The files are in the working folder for the time of the case.
 */
public final class SubmitParser {
  private static final ObjectMapper JSON = new ObjectMapper().configure(JsonGenerator.Feature.ESCAPE_NON_ASCII, true);
  private static final String PACKAGES = "spark.jars.packages";

  public static void main(String[] args) throws Exception {
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(System.err);
    BufferedReader cases = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = cases.readLine(); line != null; line = cases.readLine()) answers.println(JSON.writeValueAsString(read(JSON.readTree(line))));
    System.exit(0);
  }

  private static ObjectNode read(JsonNode given) throws IOException {
    ObjectNode answer = JSON.createObjectNode().put("label", given.get("label").asText());
    List<Path> files = new ArrayList<>();
    Properties before = (Properties) System.getProperties().clone();
    try {
      for (String name : (Iterable<String>) given.get("files")::fieldNames) {
        Path path = Path.of(name);
        if (path.getParent() != null) Files.createDirectories(path.getParent());
        files.add(Files.writeString(path, given.get("files").get(name).asText()));
      }
      describe(parsed(given), answer);
    } catch (Throwable thrown) {
      answer.put("refusal", thrown.getClass().getName() + ": " + thrown.getMessage());
    } finally {
      System.setProperties(before);
      for (Path file : files) Files.deleteIfExists(file);
    }
    return answer;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static SparkSubmitArguments parsed(JsonNode given) {
    List<String> argv = new ArrayList<>();
    given.get("argv").forEach(argument -> argv.add(argument.asText()));
    scala.collection.immutable.Map environment = scala.collection.immutable.Map$.MODULE$.empty();
    for (String name : (Iterable<String>) given.get("environment")::fieldNames) {
      environment = (scala.collection.immutable.Map) environment.$plus(new Tuple2(name, given.get("environment").get(name).asText()));
    }
    return new SparkSubmitArguments(JavaConverters.asScalaBuffer(LauncherArguments.of(argv)).toSeq(), environment);
  }

  private static void describe(SparkSubmitArguments arguments, ObjectNode answer) {
    answer.put("mainClass", arguments.mainClass()).put("resource", arguments.primaryResource()).put("proxyUser", arguments.proxyUser());
    JavaConverters.seqAsJavaList(arguments.childArgs()).forEach(answer.withArray("arguments")::add);
    // Ivy would fetch them.
    String packages = arguments.packages();
    arguments.packages_$eq(null);
    SparkConf conf = (SparkConf) new SparkSubmit().prepareSubmitEnvironment(arguments, Option.empty())._3();
    ObjectNode properties = answer.putObject("properties");
    for (Tuple2<String, String> property : conf.getAll()) properties.put(property._1(), property._2());
    if (packages != null) properties.put(PACKAGES, packages);
  }
}
