import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.spark.deploy.SparkSubmit;
import org.apache.spark.deploy.SparkSubmit$;

/**
 * Runs spark-submit many times in one JVM. Reads one case a line, {"label", "argv", "files"}, and answers each with a line,
 * {"label"} if it was submitted, {"label", "refusal": [{"class", "message"}, …causes]} if not. The files are written into the working folder
 * before the case and removed after it, so that arguments can name them without a path that differs from run to run.
 */
public final class SubmitHarness {
  /** ASCII only: what separates lines is a matter of opinion beyond it. */
  private static final ObjectMapper JSON = new ObjectMapper().configure(JsonGenerator.Feature.ESCAPE_NON_ASCII, true);

  public static void main(String[] args) throws Exception {
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(System.err); // where spark-submit may print what it likes
    throwInsteadOfExit();
    BufferedReader cases = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = cases.readLine(); line != null; line = cases.readLine()) {
      answers.println(JSON.writeValueAsString(run(JSON.readTree(line))));
    }
    System.exit(0); // clients leave threads behind
  }

  private static ObjectNode run(JsonNode given) throws IOException {
    ObjectNode answer = JSON.createObjectNode().put("label", given.get("label").asText());
    List<String> argv = new ArrayList<>();
    given.get("argv").forEach(argument -> argv.add(argument.asText()));
    List<Path> files = write(given.get("files"));
    Properties properties = (Properties) System.getProperties().clone();
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try {
      new SparkSubmit().doSubmit(argv.toArray(new String[0]));
    } catch (Throwable thrown) {
      for (Throwable cause = thrown; cause != null && cause != cause.getCause(); cause = cause.getCause()) {
        answer.withArray("refusal").addObject().put("class", cause.getClass().getName()).put("message", String.valueOf(cause.getMessage()));
      }
    } finally {
      // What a case leaves behind must not decide about the next one.
      System.setProperties(properties);
      Thread.currentThread().setContextClassLoader(loader);
      UserGroupInformation.reset();
      for (Path file : files) Files.deleteIfExists(file);
    }
    return answer;
  }

  private static List<Path> write(JsonNode files) throws IOException {
    List<Path> written = new ArrayList<>();
    for (String name : (Iterable<String>) files::fieldNames) {
      Path path = Path.of(name);
      Files.writeString(path, files.get(name).asText());
      written.add(path);
    }
    return written;
  }

  /** spark-submit ends its process when it refuses arguments. The function for it takes one argument in Spark 3, two in Spark 4. */
  private static void throwInsteadOfExit() throws ReflectiveOperationException {
    for (Method method : SparkSubmit$.class.getMethods()) {
      if (method.getName().equals("exitFn_$eq")) {
        Class<?> function = method.getParameterTypes()[0];
        method.invoke(SparkSubmit$.MODULE$, Proxy.newProxyInstance(function.getClassLoader(), new Class<?>[] {function}, (proxy, called, arguments) -> {
          throw new IllegalStateException("spark-submit exits with " + arguments[0]);
        }));
      }
    }
  }
}
