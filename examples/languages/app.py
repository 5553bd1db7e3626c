# An operator, a history server, and what a team runs, in Python; see app.mts.
from cdk8s import ApiObjectMetadata, App, Chart, Duration, Size
from cdk8s_spark_operator import (
    DynamicAllocation,
    EventLogStorage,
    OpenLineageOptions,
    RestartPolicy,
    SparkApplication,
    SparkApplicationType,
    SparkConnect,
    SparkDriverProps,
    SparkExecutorProps,
    SparkHistoryServer,
    SparkJobNamespace,
    SparkOperator,
    SparkPodProps,
    SparkProfile,
)
from cdk8s_spark_operator.k8s import Toleration

app = App()
platform = Chart(app, "operator")
operator = SparkOperator(platform, "operator", job_namespaces=[], replicas=2, defaults_config_map_name="spark-defaults")
team = SparkJobNamespace(platform, "team", name="spark-jobs", operator=operator)
history = SparkHistoryServer(
    platform,
    "history",
    namespace=team.name,
    spark_version="4.1.1",
    event_logs=EventLogStorage.claim("event-logs"),
    node_selector={"pool": "platform"},
    tolerations=[Toleration(key="platform", operator="Exists")],
)
history.connect_namespace(team)

# Settings that everything of the team shares.
base = SparkProfile.of(
    spark_version="4.1.1",
    pods=SparkPodProps(env={"TZ": "UTC"}),
    executor=SparkExecutorProps(cores=2, memory=Size.gibibytes(4)),
    open_lineage=OpenLineageOptions(url="http://marquez.lineage:5000"),
)
batch = base.extend(
    restart_policy=RestartPolicy.on_failure(retries=2, interval=Duration.seconds(30)),
    time_to_live=Duration.days(1),
)

jobs = Chart(app, "jobs", namespace=team.name)
report = SparkApplication(
    jobs,
    "report",
    metadata=ApiObjectMetadata(name="report"),
    profile=batch,
    job_namespace=team,
    type=SparkApplicationType.PYTHON,
    main_application_file="s3a://jobs/report.py",
    arguments=["--day", "yesterday"],
    spark_conf={"spark.sql.shuffle.partitions": "64"},
    driver=SparkDriverProps(cores=1, memory=Size.gibibytes(2)),
    dynamic_allocation=DynamicAllocation.between(1, 4),
)
report.mount_secret("warehouse", "/mnt/warehouse")
SparkConnect(jobs, "notebooks", metadata=ApiObjectMetadata(name="notebooks"), profile=base, job_namespace=team)

app.synth()
