# Loads the classes that most applications need: of a job, of SQL, of files, and of the client for Kubernetes.
from pyspark.sql import SparkSession, functions

spark = SparkSession.builder.getOrCreate()
context = spark.sparkContext
context.parallelize(range(1000), 4).map(lambda number: (number % 10, number)).reduceByKey(lambda a, b: a + b).count()

table = spark.range(10000).withColumn("key", functions.col("id") % 7)
table.groupBy("key").count().orderBy("key").show()
table.createOrReplaceTempView("numbers")
spark.sql("select key, sum(id) as total from numbers group by key having total > 1").join(table, "key").count()
for form in ("json", "parquet"):
    table.limit(10).write.format(form).save(f"/tmp/{form}")
    spark.read.format(form).load(f"/tmp/{form}").count()

# No API server is here: the call fails after its classes are loaded.
kubernetes = context._jvm.io.fabric8.kubernetes.client
pod = context._jvm.io.fabric8.kubernetes.api.model.PodBuilder().withNewMetadata().endMetadata().withNewSpec().endSpec().build()
kubernetes.utils.Serialization.asYaml(pod)
try:
    kubernetes.KubernetesClientBuilder().build().pods().inNamespace("default").withName("driver").get()
except Exception:
    pass
spark.stop()
