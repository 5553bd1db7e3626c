"""A task of an Airflow pipeline: Airflow's own operator for SparkApplications, run as a worker runs it, with as much of a task around it as it asks for.

    airflow-task.py TASK MANIFEST NAMESPACE [keep]

Prints the log of the task, as Airflow does, and in the last line how it ended.
"""
import json
import sys
from pathlib import Path
from types import SimpleNamespace

from airflow.providers.cncf.kubernetes.operators.spark_kubernetes import SparkKubernetesOperator

RUN_ID = "manual__2026-03-01T10:00:00+00:00"

task_id, manifest, namespace = sys.argv[1:4]

operator = SparkKubernetesOperator(
    task_id=task_id,
    namespace=namespace,
    application_file=Path(manifest).read_text(),
    delete_on_termination="keep" not in sys.argv[4:],
    startup_timeout_seconds=120,
)
task_instance = SimpleNamespace(
    dag_id="nightly",
    task_id=task_id,
    run_id=RUN_ID,
    map_index=-1,
    try_number=1,
    xcom_push=lambda key, value: print(f"xcom {key}={value}"),
)
context = {"ti": task_instance, "task_instance": task_instance, "run_id": RUN_ID, "dag": SimpleNamespace(dag_id="nightly")}

try:
    operator.execute(context)
    end = {"end": "succeeded"}
except Exception as error:  # what went wrong is for the test to judge
    end = {"end": "failed", "error": f"{type(error).__name__}: {error}"}
print(json.dumps({**end, "name": operator.name}), flush=True)
