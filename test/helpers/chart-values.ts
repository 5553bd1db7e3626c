/* The chart's values as props of SparkOperator, so that what Helm renders can be compared with what the construct makes. */

/** Values as a user writes them, merged with the defaults of the chart. */
export interface ChartInput {
  readonly image: string;
  readonly imagePullPolicy: string;
  readonly imagePullSecrets: readonly { readonly name: string }[];
  readonly replicas: number;
  readonly resources: Resources;
  readonly jobNamespaces: readonly string[];
  readonly namespaceSelector: Readonly<Record<string, string>>;
  readonly allNamespaces: boolean;
  readonly serviceAccount: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
  readonly logLevel: string;
  readonly workers: number | null;
  readonly batchScheduling: { readonly enabled: boolean };
  readonly webhook: { readonly enabled: boolean; readonly ownPods: boolean; readonly failurePolicy: string; readonly resources: Resources };
  readonly console: { readonly enabled: boolean; readonly resources: Resources };
  readonly metrics: {
    readonly enabled: boolean;
    readonly monitor: { readonly kind: string; readonly labels: Readonly<Record<string, string>>; readonly interval: string };
  };
  readonly podLabels: object;
  readonly podAnnotations: object;
  readonly nodeSelector: object;
  readonly tolerations: readonly object[];
  readonly affinity: object;
  readonly priorityClassName: string;
  readonly env: readonly object[];
}

interface Resources {
  readonly requests: { readonly cpu: string; readonly memory: string };
  readonly limits: { readonly memory: string };
}

/** Returns the props, as a values file of `sparkctl install` writes them. */
export function propsOfValues(values: ChartInput, namespace: string): object {
  const { imagePullSecrets, resources, jobNamespaces, serviceAccount, workers, batchScheduling, webhook, console, metrics, ...others } = values;
  const { namespaceSelector, allNamespaces, priorityClassName, image, imagePullPolicy, replicas, logLevel } = others;
  const { kind, labels, interval } = metrics.monitor;
  const monitor = { ...filled({ labels }), ...(interval && { interval }) };
  return {
    namespace, createNamespace: false, image, imagePullPolicy, replicas, logLevel, resources: amounts(resources), serviceAccountName: serviceAccount.name,
    ...filled({ serviceAccountAnnotations: serviceAccount.annotations }),
    ...(jobNamespaces.length > 0 && { jobNamespaces }),
    ...filled({ imagePullSecrets: imagePullSecrets.map(({ name }) => name) }),
    ...(workers !== null && { workers }),
    ...(batchScheduling.enabled && { batchScheduling: {} }),
    ...(webhook.enabled && {
      webhook: { failurePolicy: webhook.failurePolicy, ...(webhook.ownPods && { deployment: { resources: amounts(webhook.resources) } }) },
    }),
    ...(console.enabled && { console: { resources: amounts(console.resources) } }),
    metrics: { enabled: metrics.enabled, ...(kind !== 'none' && { monitor: { [kind === 'PodMonitor' ? 'podMonitor' : 'serviceMonitor']: monitor } }) },
    ...(allNamespaces ? { allNamespaces } : filled({ namespaceSelector })),
    ...filled({
      podLabels: others.podLabels, podAnnotations: others.podAnnotations, nodeSelector: others.nodeSelector, tolerations: others.tolerations,
      affinity: others.affinity, env: others.env,
    }),
    ...(priorityClassName && { priorityClassName }),
  };
}

function amounts({ requests, limits }: Resources): object {
  return { cpuRequest: Number(requests.cpu.replace('m', '')) / 1000, memoryRequest: requests.memory, memoryLimit: limits.memory };
}

/** Returns the props that are not empty. */
function filled(props: Readonly<Record<string, object>>): object {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => Object.keys(value).length > 0));
}
