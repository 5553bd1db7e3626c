import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import com.fasterxml.jackson.databind.node.ObjectNode
import com.sun.net.httpserver.{HttpExchange, HttpsConfigurator, HttpsServer}
import java.io.{File, FileInputStream, FileOutputStream}
import java.net.InetSocketAddress
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}
import java.security.KeyStore
import java.util.concurrent.{ConcurrentHashMap, Executors}
import java.util.jar.{Attributes, JarOutputStream, Manifest}
import javax.net.ssl.{KeyManagerFactory, SSLContext}
import org.apache.spark.api.java.JavaSparkContext
import org.apache.spark.api.java.function.{Function, PairFunction}
import org.apache.spark.sql.{Encoders, SparkSession}
import org.apache.spark.sql.functions._
import scala.collection.JavaConverters._

/** Writes the jar whose manifest is the class path: `PathJar <jar> <absolute paths, in their order>`. */
object PathJar {
  def main(args: Array[String]): Unit = {
    val jar = Paths.get(args.head)
    // Java takes an absolute URL. HotSpot looks for a file of that name in the jar's folder and finds none, so that a folder with
    // files does not keep it from using the archive. Jars are relative, as HotSpot knows no other paths.
    val entries = args.tail.map { path =>
      if (path.endsWith("/")) s"file:$path" else jar.getParent.relativize(Paths.get(path)).toString.replace(" ", "%20")
    }
    val manifest = new Manifest()
    manifest.getMainAttributes.put(Attributes.Name.MANIFEST_VERSION, "1.0")
    manifest.getMainAttributes.put(Attributes.Name.CLASS_PATH, entries.mkString(" "))
    new JarOutputStream(new FileOutputStream(jar.toFile), manifest).close()
  }
}

/** A program for the driver in Java: typed data, RDDs, SQL and a stream. */
object JavaTraining {
  def main(args: Array[String]): Unit = {
    val spark = SparkSession.builder().appName("training").getOrCreate()
    val context = new JavaSparkContext(spark.sparkContext)
    val numbers: java.util.List[Integer] = (1 to 100).map(Integer.valueOf).asJava
    val square: Function[Integer, Integer] = number => number * number
    val keyed: PairFunction[Integer, String, Integer] = number => (s"k${number % 7}", number)
    context.parallelize(numbers, 2).map[Integer](square).mapToPair[String, Integer](keyed).groupByKey().collectAsMap()
    context.broadcast(numbers).destroy()

    val words = spark.createDataset(java.util.Arrays.asList("a", "b", "a"))(Encoders.STRING)
    val lengths = words.map((word: String) => word.length: Integer)(Encoders.INT)
    lengths.groupBy("value").agg(count("*"), avg("value")).orderBy("value").show()
    words.createOrReplaceTempView("words")
    spark.sql("select value, count(*) as n, row_number() over (order by value) as r from words group by value having n > 0").collect()
    val table = spark.range(1000).withColumn("key", col("id") % 7).cache()
    table.join(broadcast(words.select(length(col("value")).as("key"))), Seq("key"), "left").count()
    val folder = Files.createTempDirectory("training").toString
    for (form <- Seq("parquet", "json", "csv", "orc")) {
      table.limit(10).write.format(form).save(s"$folder/$form")
      spark.read.schema(table.schema).format(form).load(s"$folder/$form").filter("key = 1").count()
    }
    val stream = spark.readStream.format("rate").load().withWatermark("timestamp", "1 minute")
      .groupBy(window(col("timestamp"), "1 minute")).count()
      .writeStream.outputMode("complete").format("memory").queryName("counts").option("checkpointLocation", s"$folder/checkpoint").start()
    // A rate never ends, so that not all of it is ever processed.
    val deadline = System.nanoTime() + 120e9.toLong
    while (stream.recentProgress.length < 2 && System.nanoTime() < deadline) stream.awaitTermination(500)
    stream.stop()
    spark.stop()
  }
}

/**
 * Kubernetes' API for one driver: it answers what Spark asks for, and starts an executor for a Pod of one. So the classes of the
 * client, of TLS and of executors are those of a cluster. `ApiServer <key store> <its password> <file for the port>`
 */
object ApiServer {
  private val json = new ObjectMapper()
  private val pods = new ConcurrentHashMap[String, ObjectNode]()
  private val BOOKMARK = "{\"type\":\"BOOKMARK\",\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"resourceVersion\":\"1\"}}}\n"
  private val COLLECTION = "/api(?:s/[^/]+)?/[^/]+(?:/namespaces/[^/]+)?/([^/]+)(?:/([^/]+))?".r

  def main(args: Array[String]): Unit = {
    val password = args(1).toCharArray
    val keys = KeyStore.getInstance("PKCS12")
    keys.load(new FileInputStream(args(0)), password)
    val managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm)
    managers.init(keys, password)
    val context = SSLContext.getInstance("TLS")
    context.init(managers.getKeyManagers, null, null)
    val driver = json.createObjectNode().put("apiVersion", "v1").put("kind", "Pod")
    driver.putObject("metadata").put("name", "driver").put("namespace", "default")
    stored(driver)

    val server = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 0)
    server.setHttpsConfigurator(new HttpsConfigurator(context))
    server.setExecutor(Executors.newCachedThreadPool())
    server.createContext("/", exchange => try answer(exchange) catch { case error: Throwable => error.printStackTrace(); throw error })
    server.start()
    val file = Paths.get(args(2) + ".tmp")
    Files.write(file, server.getAddress.getPort.toString.getBytes(UTF_8))
    Files.move(file, Paths.get(args(2)))
  }

  private def answer(exchange: HttpExchange): Unit = {
    val (path, query) = (exchange.getRequestURI.getPath, Option(exchange.getRequestURI.getQuery).getOrElse(""))
    val body = exchange.getRequestBody.readAllBytes()
    val (kind, name) = path match {
      case COLLECTION(kind, name) => (kind, Option(name))
      case _ => ("", None)
    }
    exchange.getRequestMethod match {
      case "GET" if query.contains("watch=true") => watch(exchange)
      case "GET" if name.isDefined => Option(pods.get(name.get)).fold(send(exchange, 404, status("Failure")))(send(exchange, 200, _))
      case "GET" => send(exchange, 200, list(query))
      case "POST" | "PUT" =>
        val created = stored(json.readTree(body).asInstanceOf[ObjectNode])
        send(exchange, 201, created)
        if (kind == "pods") startExecutor(created)
      case "PATCH" => send(exchange, 200, name.flatMap(key => Option(pods.get(key))).getOrElse(json.readTree(body)))
      case _ => send(exchange, 200, status("Success"))
    }
  }

  /** A request for a WebSocket gets no other protocol, so that the client repeats it as a stream, which stays open. */
  private def watch(exchange: HttpExchange): Unit = {
    val isWebSocket = exchange.getRequestHeaders.containsKey("Upgrade")
    exchange.getResponseHeaders.set("Content-Type", "application/json")
    exchange.sendResponseHeaders(200, if (isWebSocket) -1 else 0)
    if (isWebSocket) exchange.close()
    else {
      exchange.getResponseBody.write(BOOKMARK.getBytes(UTF_8))
      exchange.getResponseBody.flush()
    }
  }

  private def list(query: String): JsonNode = {
    val name = "fieldSelector=metadata.name=([^&]+)".r.findFirstMatchIn(query).map(_.group(1))
    val labels = "labelSelector=([^&]+)".r.findFirstMatchIn(query).toSeq.flatMap(_.group(1).split(",").filter(_.matches("[^!=]+=[^=]+")))
    val found = json.createObjectNode().put("apiVersion", "v1").put("kind", "PodList")
    found.putObject("metadata").put("resourceVersion", "1")
    val items = found.putArray("items")
    pods.asScala.toSeq.filter { case (key, pod) =>
      name.forall(_ == key) && labels.map(_.split("=", 2)).forall(label => pod.at("/metadata/labels").path(label(0)).asText() == label(1))
    }.foreach { case (_, pod) => items.add(pod) }
    found
  }

  private def stored(node: ObjectNode): ObjectNode = {
    val metadata = node.withObject("/metadata")
    metadata.put("uid", java.util.UUID.randomUUID().toString).put("resourceVersion", "1").put("creationTimestamp", "2026-01-01T00:00:00Z")
    if (node.path("kind").asText() == "Pod") {
      val state = node.putObject("status").put("phase", "Running").put("podIP", "127.0.0.1")
      state.putArray("conditions").addObject().put("type", "Ready").put("status", "True")
      pods.put(metadata.get("name").asText(), node)
    }
    node
  }

  private def status(text: String): JsonNode = json.createObjectNode().put("apiVersion", "v1").put("kind", "Status").put("status", text)

  private def send(exchange: HttpExchange, code: Int, content: JsonNode): Unit = {
    val bytes = json.writeValueAsBytes(content)
    exchange.getResponseHeaders.set("Content-Type", "application/json")
    exchange.sendResponseHeaders(code, bytes.length)
    exchange.getResponseBody.write(bytes)
    exchange.close()
  }

  /** Starts what the entrypoint of Spark's images starts, with the variables of the Pod. */
  private def startExecutor(pod: ObjectNode): Unit = {
    val given = pod.at("/spec/containers/0/env").elements().asScala.map { variable =>
      val source = variable.at("/valueFrom/fieldRef/fieldPath").asText()
      variable.get("name").asText() -> (source match {
        case "status.podIP" => "127.0.0.1"
        case "metadata.name" => pod.at("/metadata/name").asText()
        case _ => variable.path("value").asText()
      })
    }.toMap ++ Map("SPARK_LOCAL_DIRS" -> new File("local").getAbsolutePath)
    val numbered = "SPARK_JAVA_OPT_(\\d+)".r
    val options = given.toSeq.collect { case (numbered(number), value) => number.toInt -> value }.sortBy(_._1).map(_._2)
    val home = System.getenv("SPARK_HOME")
    val classPath = Seq(given("SPARK_CONF_DIR"), given.getOrElse("SPARK_CLASSPATH", ""), s"$home/jars/*").filter(_.nonEmpty).mkString(":")
    val command = Seq(System.getProperty("java.home") + "/bin/java") ++ options ++ Seq(
      s"-Xmx${given("SPARK_EXECUTOR_MEMORY")}", "-cp", classPath, "org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend",
      "--driver-url", given("SPARK_DRIVER_URL"), "--executor-id", given("SPARK_EXECUTOR_ID"), "--cores", given("SPARK_EXECUTOR_CORES"),
      "--app-id", given("SPARK_APPLICATION_ID"), "--hostname", "127.0.0.1", "--resourceProfileId", given("SPARK_RESOURCE_PROFILE_ID"),
      "--podName", pod.at("/metadata/name").asText())
    val builder = new ProcessBuilder(command.asJava).redirectErrorStream(true).redirectOutput(new File("executor.log"))
    builder.environment().putAll(given.asJava)
    builder.start()
  }
}
