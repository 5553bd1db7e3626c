"""A task of an Airflow pipeline: Airflow's own operator for SparkApplications, run as a worker runs it, with as much of a task around it as it asks for.

    airflow-task.py TASK MANIFEST NAMESPACE [keep] [sensor] [again]

A manifest with the key "spark" is a template_spec, any other one an application_file. "sensor" lets Airflow's sensor judge the application afterwards, and
"again" makes it the second try of the task. Prints the log of the task, as Airflow does, and in the last line how it ended.
"""
import json
import sys
from pathlib import Path
from types import SimpleNamespace

from airflow.providers.cncf.kubernetes.operators.spark_kubernetes import SparkKubernetesOperator
from airflow.providers.cncf.kubernetes.sensors.spark_kubernetes import SparkKubernetesSensor

RUN_ID = "manual__2026-03-01T10:00:00+00:00"

task_id, manifest, namespace = sys.argv[1:4]
options = sys.argv[4:]
text = Path(manifest).read_text()

operator = SparkKubernetesOperator(
    task_id=task_id,
    namespace=namespace,
    **({"template_spec": json.loads(text)} if "spark" in json.loads(text) else {"application_file": text}),
    delete_on_termination="keep" not in options,
    startup_timeout_seconds=480,
)
task_instance = SimpleNamespace(
    dag_id="nightly",
    task_id=task_id,
    run_id=RUN_ID,
    map_index=-1,
    try_number=2 if "again" in options else 1,
    xcom_push=lambda key, value: print(f"xcom {key}={value}"),
)
context = {"ti": task_instance, "task_instance": task_instance, "run_id": RUN_ID, "dag": SimpleNamespace(dag_id="nightly")}


def end_of(work):
    try:
        result = work()
        return {"end": "succeeded", **({"result": result} if isinstance(result, bool) else {})}
    except Exception as error:  # what went wrong is for the test to judge
        return {"end": "failed", "error": f"{type(error).__name__}: {error}"}


end = end_of(lambda: operator.execute(context))
if "sensor" in options:
    print("--- sensor", flush=True)
    sensor = SparkKubernetesSensor(task_id=f"{task_id}-sensor", application_name=operator.name, namespace=namespace, attach_log=True)
    end["sensor"] = end_of(lambda: sensor.poke(context))
print(json.dumps({**end, "name": operator.name}), flush=True)
