//go:build !oldest

package main

import (
	"context"

	"github.com/spf13/cobra"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

// The programs of a node. Of the oldest Kubernetes there is only a control plane: their functions were others then.
func init() {
	programs["kube-proxy"] = component(proxy.NewProxyCommand)
	programs["kubelet"] = component(func() *cobra.Command { return kubelet.NewKubeletCommand(context.Background()) })
}
