/* An operator, a history server, and what a team runs, in Java; see app.mts. */
import io.github.cdk8s_spark_operator.DynamicAllocation;
import io.github.cdk8s_spark_operator.EventLogStorage;
import io.github.cdk8s_spark_operator.OnFailureOptions;
import io.github.cdk8s_spark_operator.OpenLineageOptions;
import io.github.cdk8s_spark_operator.RestartPolicy;
import io.github.cdk8s_spark_operator.SparkApplication;
import io.github.cdk8s_spark_operator.SparkApplicationType;
import io.github.cdk8s_spark_operator.SparkConnect;
import io.github.cdk8s_spark_operator.SparkDriverProps;
import io.github.cdk8s_spark_operator.SparkExecutorProps;
import io.github.cdk8s_spark_operator.SparkHistoryServer;
import io.github.cdk8s_spark_operator.SparkJobNamespace;
import io.github.cdk8s_spark_operator.SparkOperator;
import io.github.cdk8s_spark_operator.SparkPodProps;
import io.github.cdk8s_spark_operator.SparkProfile;
import io.github.cdk8s_spark_operator.SparkProfileProps;
import io.github.cdk8s_spark_operator.k8s.Toleration;
import java.util.List;
import java.util.Map;
import org.cdk8s.ApiObjectMetadata;
import org.cdk8s.Chart;
import org.cdk8s.ChartProps;
import org.cdk8s.Duration;
import org.cdk8s.Size;

public final class App {
  public static void main(String[] args) {
    var app = new org.cdk8s.App();
    var platform = new Chart(app, "operator");
    var operator = SparkOperator.Builder.create(platform, "operator").jobNamespaces(List.of()).replicas(2).defaultsConfigMapName("spark-defaults").build();
    var team = SparkJobNamespace.Builder.create(platform, "team").name("spark-jobs").operator(operator).build();
    var history = SparkHistoryServer.Builder.create(platform, "history")
        .namespace(team.getName())
        .sparkVersion("4.1.1")
        .eventLogs(EventLogStorage.claim("event-logs"))
        .nodeSelector(Map.of("pool", "platform"))
        .tolerations(List.of(Toleration.builder().key("platform").operator("Exists").build()))
        .build();
    history.connectNamespace(team);

    // Settings that everything of the team shares.
    var base = SparkProfile.of(SparkProfileProps.builder()
        .sparkVersion("4.1.1")
        .pods(SparkPodProps.builder().env(Map.of("TZ", "UTC")).build())
        .executor(SparkExecutorProps.builder().cores(2).memory(Size.gibibytes(4)).build())
        .openLineage(OpenLineageOptions.builder().url("http://marquez.lineage:5000").build())
        .build());
    var batch = base.extend(SparkProfileProps.builder()
        .restartPolicy(RestartPolicy.onFailure(OnFailureOptions.builder().retries(2).interval(Duration.seconds(30)).build()))
        .timeToLive(Duration.days(1))
        .build());

    var jobs = new Chart(app, "jobs", ChartProps.builder().namespace(team.getName()).build());
    var report = SparkApplication.Builder.create(jobs, "report")
        .metadata(ApiObjectMetadata.builder().name("report").build())
        .profile(batch)
        .jobNamespace(team)
        .type(SparkApplicationType.PYTHON)
        .mainApplicationFile("s3a://jobs/report.py")
        .arguments(List.of("--day", "yesterday"))
        .sparkConf(Map.of("spark.sql.shuffle.partitions", "64"))
        .driver(SparkDriverProps.builder().cores(1).memory(Size.gibibytes(2)).build())
        .dynamicAllocation(DynamicAllocation.between(1, 4))
        .build();
    report.mountSecret("warehouse", "/mnt/warehouse");
    SparkConnect.Builder.create(jobs, "notebooks").metadata(ApiObjectMetadata.builder().name("notebooks").build()).profile(base).jobNamespace(team).build();

    app.synth();
  }
}
