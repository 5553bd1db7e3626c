/* An operator and an application, in Java; see app.mts. */
import io.github.cdk8s_spark_operator.DynamicAllocation;
import io.github.cdk8s_spark_operator.OnFailureOptions;
import io.github.cdk8s_spark_operator.RestartPolicy;
import io.github.cdk8s_spark_operator.SparkApplication;
import io.github.cdk8s_spark_operator.SparkApplicationType;
import io.github.cdk8s_spark_operator.SparkDriverProps;
import io.github.cdk8s_spark_operator.SparkExecutorProps;
import io.github.cdk8s_spark_operator.SparkOperator;
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
    SparkOperator.Builder.create(new Chart(app, "operator"), "operator").jobNamespaces(List.of("spark-jobs")).createJobNamespaces(true).replicas(2).build();

    var jobs = new Chart(app, "jobs", ChartProps.builder().namespace("spark-jobs").build());
    var report = SparkApplication.Builder.create(jobs, "report")
        .metadata(ApiObjectMetadata.builder().name("report").build())
        .type(SparkApplicationType.PYTHON)
        .sparkVersion("4.1.1")
        .mainApplicationFile("s3a://jobs/report.py")
        .arguments(List.of("--day", "yesterday"))
        .sparkConf(Map.of("spark.sql.shuffle.partitions", "64"))
        .driver(SparkDriverProps.builder().cores(1).memory(Size.gibibytes(2)).build())
        .executor(SparkExecutorProps.builder().cores(2).memory(Size.gibibytes(4)).env(Map.of("TZ", "UTC")).build())
        .dynamicAllocation(DynamicAllocation.between(1, 4))
        .restartPolicy(RestartPolicy.onFailure(OnFailureOptions.builder().retries(2).interval(Duration.seconds(30)).build()))
        .timeToLive(Duration.days(1))
        .build();
    report.mountSecret("warehouse", "/mnt/warehouse");

    app.synth();
  }
}
