"""What users of kubeflow's SDK do, in the order of its samples: jobs from files and functions, and a session of Spark Connect.

    kubeflow-sdk.py STEP NAMESPACE

Prints what the SDK answered, as JSON in the last line.
"""
import json
import os
import sys

from kubeflow.spark import (
    Annotations, Driver, FileJob, FuncJob, KubernetesBackendConfig, Labels, Name, NodeSelector, SparkClient, SparkJobStatus, Toleration,
)

# The SDK has no options for CPU requests and JVMs. A core for each pod would not fit on a small node.
SMALL = json.loads(os.environ["SPARK_CONF"])
RESOURCES = {"cpu": "1", "memory": "512Mi"}
SECONDS = 480
# A local cluster gives the name of the SDK's image to ours, which has the applications of examples/. Elsewhere it is Apache's, which has Spark's examples.
PI = f"local:///opt/spark/{'examples/src/main/python' if os.environ.get('TEST_CONTEXT') else 'applications'}/pi.py"

step, namespace = sys.argv[1:3]
client = SparkClient(KubernetesBackendConfig(namespace=namespace, context=os.environ.get("TEST_CONTEXT") or None))


def error_of(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def file_job():
    name = client.submit_job(
        FileJob(PI, args=["2"]),
        num_executors=1,
        resources_per_executor=RESOURCES,
        spark_conf=SMALL,
        options=[
            Name("sdk-file"),
            Labels({"team": "ml"}),
            Annotations({"owner": "kubeflow"}),
            NodeSelector({"kubernetes.io/os": "linux"}),
            Toleration(key="dedicated", operator="Equal", value="spark", effect="NoSchedule"),
        ],
    )
    first = client.get_job(name).status
    job = client.wait_for_job_status(name, timeout=SECONDS)
    listed = [each.name for each in client.list_jobs(status={SparkJobStatus.COMPLETED})]
    pi = [line for line in client.get_job_logs(name) if line.startswith("Pi is roughly")]
    client.delete_job(name)
    return {
        "first": first, "status": job.status, "driver": job.driver_pod_name, "executors": job.num_executors,
        "listed": name in listed, "log": pi, "deleted": error_of(lambda: client.get_job(name)),
    }


def total_of(limit):
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.getOrCreate()
    print(f"total {spark.range(limit).selectExpr('sum(id)').first()[0]}")
    spark.stop()


def function_job():
    name = client.submit_job(FuncJob(total_of, func_args={"limit": 1000}), spark_conf=SMALL, options=[Name("sdk-function")])
    job = client.wait_for_job_status(name, timeout=SECONDS)
    return {"status": job.status, "log": [line for line in client.get_job_logs(name) if line.startswith("total ")]}


def fail():
    raise RuntimeError("the input table is missing")


def failed_job():
    name = client.submit_job(FuncJob(fail), spark_conf=SMALL, options=[Name("sdk-failed")])
    error = error_of(lambda: client.wait_for_job_status(name, timeout=SECONDS))
    return {"error": error, "status": client.get_job(name).status, "log": [line for line in client.get_job_logs(name) if line.startswith("RuntimeError")]}


def without_download(session, _backend):
    """An option of one's own. The image has the jar that the SDK would have the server fetch, and there is no way out of the cluster."""
    del session.spec.spark_conf["spark.jars"]


def session():
    spark = client.connect(
        num_executors=1,
        resources_per_executor=RESOURCES,
        driver=Driver(resources={**RESOURCES, "memory": "768Mi"}, service_account="spark-operator-spark"),
        spark_conf={**SMALL, "spark.sql.shuffle.partitions": "2"},
        options=[Name("sdk-session"), without_download],
        timeout=SECONDS,
    )
    rows = [row["total"] for row in spark.range(1000).selectExpr("id % 3 AS part", "id").groupBy("part").sum("id").orderBy("part").toDF("part", "total").collect()]
    info = client.get_session("sdk-session")
    listed = [each.name for each in client.list_sessions()]
    log = any(client.get_session_logs("sdk-session"))
    spark.stop()
    client.delete_session("sdk-session")
    return {
        "rows": rows, "state": info.state, "driver": info.driver_pod_name, "service": info.service_name, "listed": listed, "log": log,
        "deleted": error_of(lambda: client.get_session("sdk-session")),
    }


STEPS = {"file": file_job, "function": function_job, "failed": failed_job, "session": session}
print(json.dumps(STEPS[step]()), flush=True)
