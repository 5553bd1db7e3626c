// An operator, a history server, and what a team runs, in Go; see app.mts.
package main

import (
	"github.com/aws/jsii-runtime-go"
	spark "github.com/cdk8s-spark-operator/cdk8s-spark-operator-go/cdk8ssparkoperator"
	"github.com/cdk8s-spark-operator/cdk8s-spark-operator-go/cdk8ssparkoperator/k8s"
	"github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2"
)

func main() {
	defer jsii.Close()

	app := cdk8s.NewApp(nil)
	platform := cdk8s.NewChart(app, jsii.String("operator"), nil)
	operator := spark.NewSparkOperator(platform, jsii.String("operator"), &spark.SparkOperatorProps{
		JobNamespaces:     jsii.Strings(),
		Replicas:          jsii.Number(2),
		DefaultsConfigMapName: jsii.String("spark-defaults"),
	})
	team := spark.NewSparkJobNamespace(platform, jsii.String("team"), &spark.SparkJobNamespaceProps{Name: jsii.String("spark-jobs"), Operator: operator})
	history := spark.NewSparkHistoryServer(platform, jsii.String("history"), &spark.SparkHistoryServerProps{
		Namespace:    team.Name(),
		SparkVersion: jsii.String("4.1.1"),
		EventLogs:    spark.EventLogStorage_Claim(jsii.String("event-logs"), nil),
		NodeSelector: &map[string]*string{"pool": jsii.String("platform")},
		Tolerations:  &[]*k8s.Toleration{{Key: jsii.String("platform"), Operator: jsii.String("Exists")}},
	})
	history.ConnectNamespace(team)

	// Settings that everything of the team shares.
	base := spark.SparkProfile_Of(&spark.SparkProfileProps{
		SparkVersion: jsii.String("4.1.1"),
		Pods:         &spark.SparkPodProps{Env: &map[string]*string{"TZ": jsii.String("UTC")}},
		Executor:     &spark.SparkExecutorProps{Cores: jsii.Number(2), Memory: cdk8s.Size_Gibibytes(jsii.Number(4))},
		OpenLineage:  &spark.OpenLineageOptions{Url: jsii.String("http://marquez.lineage:5000")},
	})
	batch := base.Extend(&spark.SparkProfileProps{
		RestartPolicy: spark.RestartPolicy_OnFailure(&spark.OnFailureOptions{Retries: jsii.Number(2), Interval: cdk8s.Duration_Seconds(jsii.Number(30))}),
		TimeToLive:    cdk8s.Duration_Days(jsii.Number(1)),
	})

	jobs := cdk8s.NewChart(app, jsii.String("jobs"), &cdk8s.ChartProps{Namespace: team.Name()})
	report := spark.NewSparkApplication(jobs, jsii.String("report"), &spark.SparkApplicationProps{
		Metadata:            &cdk8s.ApiObjectMetadata{Name: jsii.String("report")},
		Profile:             batch,
		JobNamespace:        team,
		Type:                spark.SparkApplicationType_PYTHON,
		MainApplicationFile: jsii.String("s3a://jobs/report.py"),
		Arguments:           jsii.Strings("--day", "yesterday"),
		SparkConf:           &map[string]*string{"spark.sql.shuffle.partitions": jsii.String("64")},
		Driver:              &spark.SparkDriverProps{Cores: jsii.Number(1), Memory: cdk8s.Size_Gibibytes(jsii.Number(2))},
		DynamicAllocation:   spark.DynamicAllocation_Between(jsii.Number(1), jsii.Number(4), nil),
	})
	report.MountSecret(jsii.String("warehouse"), jsii.String("/mnt/warehouse"), nil)
	spark.NewSparkConnect(jobs, jsii.String("notebooks"), &spark.SparkConnectProps{
		Metadata:     &cdk8s.ApiObjectMetadata{Name: jsii.String("notebooks")},
		Profile:      base,
		JobNamespace: team,
	})

	app.Synth()
}
