// Command coscheduler is Kubernetes' scheduler with the coscheduling plugin, which takes the pods of an application as a whole. No cluster has it by itself: a test starts it for pods that name it.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-scheduler/app"
	"sigs.k8s.io/scheduler-plugins/pkg/coscheduling"

	// The arguments of the plugin in the configuration of a scheduler.
	_ "sigs.k8s.io/scheduler-plugins/apis/config/scheme"
)

func main() {
	os.Exit(cli.Run(app.NewSchedulerCommand(app.WithPlugin(coscheduling.Name, coscheduling.New))))
}
