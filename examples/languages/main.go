// An operator and an application, in Go; see app.mts.
package main

import (
	"github.com/aws/jsii-runtime-go"
	spark "github.com/cdk8s-spark-operator/cdk8s-spark-operator-go/cdk8ssparkoperator"
	"github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2"
)

func main() {
	defer jsii.Close()

	app := cdk8s.NewApp(nil)
	spark.NewSparkOperator(cdk8s.NewChart(app, jsii.String("operator"), nil), jsii.String("operator"), &spark.SparkOperatorProps{
		JobNamespaces:       jsii.Strings("spark-jobs"),
		CreateJobNamespaces: jsii.Bool(true),
		Replicas:            jsii.Number(2),
	})

	jobs := cdk8s.NewChart(app, jsii.String("jobs"), &cdk8s.ChartProps{Namespace: jsii.String("spark-jobs")})
	report := spark.NewSparkApplication(jobs, jsii.String("report"), &spark.SparkApplicationProps{
		Metadata:            &cdk8s.ApiObjectMetadata{Name: jsii.String("report")},
		Type:                spark.SparkApplicationType_PYTHON,
		SparkVersion:        jsii.String("4.1.1"),
		MainApplicationFile: jsii.String("s3a://jobs/report.py"),
		Arguments:           jsii.Strings("--day", "yesterday"),
		SparkConf:           &map[string]*string{"spark.sql.shuffle.partitions": jsii.String("64")},
		Driver:              &spark.SparkDriverProps{Cores: jsii.Number(1), Memory: cdk8s.Size_Gibibytes(jsii.Number(2))},
		Executor: &spark.SparkExecutorProps{
			Cores:  jsii.Number(2),
			Memory: cdk8s.Size_Gibibytes(jsii.Number(4)),
			Env:    &map[string]*string{"TZ": jsii.String("UTC")},
		},
		DynamicAllocation: spark.DynamicAllocation_Between(jsii.Number(1), jsii.Number(4), nil),
		RestartPolicy:     spark.RestartPolicy_OnFailure(&spark.OnFailureOptions{Retries: jsii.Number(2), Interval: cdk8s.Duration_Seconds(jsii.Number(30))}),
		TimeToLive:        cdk8s.Duration_Days(jsii.Number(1)),
	})
	report.MountSecret(jsii.String("warehouse"), jsii.String("/mnt/warehouse"), nil)

	app.Synth()
}
