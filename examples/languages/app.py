# An operator and an application, in Python; see app.mts.
from cdk8s import ApiObjectMetadata, App, Chart, Duration, Size
from cdk8s_spark_operator import (
    DynamicAllocation,
    RestartPolicy,
    SparkApplication,
    SparkApplicationType,
    SparkDriverProps,
    SparkExecutorProps,
    SparkOperator,
)

app = App()
SparkOperator(Chart(app, "operator"), "operator", job_namespaces=["spark-jobs"], create_job_namespaces=True, replicas=2)

report = SparkApplication(
    Chart(app, "jobs", namespace="spark-jobs"),
    "report",
    metadata=ApiObjectMetadata(name="report"),
    type=SparkApplicationType.PYTHON,
    spark_version="4.1.1",
    main_application_file="s3a://jobs/report.py",
    arguments=["--day", "yesterday"],
    spark_conf={"spark.sql.shuffle.partitions": "64"},
    driver=SparkDriverProps(cores=1, memory=Size.gibibytes(2)),
    executor=SparkExecutorProps(cores=2, memory=Size.gibibytes(4), env={"TZ": "UTC"}),
    dynamic_allocation=DynamicAllocation.between(1, 4),
    restart_policy=RestartPolicy.on_failure(retries=2, interval=Duration.seconds(30)),
    time_to_live=Duration.days(1),
)
report.mount_secret("warehouse", "/mnt/warehouse")

app.synth()
