import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import type { OperatorContext } from './_operator-context';
import { spread } from './_operator-deployment';
import type { Labels } from './_operator-names';
import { PACKAGE_VERSION } from './_package';
import { CONSOLE_CPU, containerResources } from './_operator-resources';
import { ownRole, serviceAccount } from './_roles';
import { exposeService } from './_service-exposure';
import { IMAGE_REPOSITORY } from '../api/operator-image';
import type { Rule } from '../flags/permissions';
import type { OperatorConsole } from './operator-console';
import type { SparkOperatorProps } from './spark-operator-props';
import { SCHEDULED_SPARK_APPLICATION } from '../api/scheduled-spark-application';
import { ImagePullPolicy, SPARK_APPLICATION } from '../api/spark-application';
import { containerArgs } from '../rules/container-args';

/**
 * Ports of its pods.
 *
 * @internal
 */
export const CONSOLE_PORT = 8088;

const CERTIFICATE = '/etc/spark-operator/console';

/**
 * Rules for the console in a job namespace. Users see only the part that they are allowed to read
 * themselves.
 *
 * @internal
 */
export const SHOWN: readonly Rule[] = [
  { group: SPARK_APPLICATION.group, resource: SPARK_APPLICATION.plural, verbs: ['get', 'list', 'watch'] },
  { group: SCHEDULED_SPARK_APPLICATION.group, resource: SCHEDULED_SPARK_APPLICATION.plural, verbs: ['list', 'watch'] },
  { group: '', resource: 'pods', verbs: ['get', 'list'] },
  { group: '', resource: 'pods/log', verbs: ['get'] },
  { group: '', resource: 'events', verbs: ['list'] },
  // Only the names of these are shown.
  { group: '', resource: 'services', verbs: ['list'] },
  { group: '', resource: 'configmaps', verbs: ['list'] },
  { group: '', resource: 'persistentvolumeclaims', verbs: ['list'] },
  { group: 'networking.k8s.io', resource: 'ingresses', verbs: ['list'] },
  { group: 'policy', resource: 'poddisruptionbudgets', verbs: ['list'] },
  // Without a metrics server, there is no such API.
  { group: 'metrics.k8s.io', resource: 'pods', verbs: ['list'] },
];

/** It reviews tokens and permissions of users. */
const ASKED: readonly Rule[] = [
  { group: 'authentication.k8s.io', resource: 'tokenreviews', verbs: ['create'] },
  { group: 'authorization.k8s.io', resource: 'subjectaccessreviews', verbs: ['create'] },
];

/**
 * Adds the permissions of the console, its Deployment and its Service.
 *
 * @internal
 */
export function addConsole(scope: Construct, console: OperatorConsole, context: OperatorContext): void {
  const { namespace, names: { console: { name, selector, labels } }, accounts, isClusterWide, features: { lease }, props } = context;
  const subjects = [serviceAccount(accounts.console, namespace)];
  ownRole(scope, 'Console', console, { name: `${name}:${namespace}` }, [...ASKED, ...(isClusterWide ? SHOWN : [])], subjects);
  if (lease !== undefined) {
    ownRole(scope, 'ConsoleLease', console, { name: `${name}-lease`, namespace }, [
      { group: 'coordination.k8s.io', resource: 'leases', name: lease, verbs: ['get'] },
    ], subjects);
  }
  const replicas = console.replicas ?? 1;
  const { tlsSecretName: secretName } = console;
  const probe = { httpGet: { path: '/healthz', port: 'console', scheme: secretName === undefined ? 'HTTP' : 'HTTPS' } };
  new ApiObject(scope, 'ConsoleDeployment', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: { ...labels, 'app.kubernetes.io/version': PACKAGE_VERSION } },
    spec: {
      replicas,
      selector: { matchLabels: selector },
      template: {
        metadata: {
          labels: {
            ...props.podLabels, ...selector,
          }, ...(props.podAnnotations && { annotations: props.podAnnotations }),
        },
        spec: {
          serviceAccountName: accounts.console,
          automountServiceAccountToken: true,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          ...placement(props, selector, replicas),
          containers: [{
            name: 'console',
            image: props.image ?? `${IMAGE_REPOSITORY}:${PACKAGE_VERSION}`,
            imagePullPolicy: props.imagePullPolicy ?? ImagePullPolicy.IF_NOT_PRESENT,
            // A SparkJobNamespace might be added later.
            args: Lazy.any({ produce: () => consoleArgs(console, context) }),
            ports: [{ name: 'console', containerPort: CONSOLE_PORT, protocol: 'TCP' }],
            livenessProbe: { ...probe, periodSeconds: 15, failureThreshold: 4, timeoutSeconds: 5 },
            readinessProbe: { ...probe, periodSeconds: 5 },
            resources: containerResources(console.resources, CONSOLE_CPU),
            securityContext: {
              allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, privileged: false, readOnlyRootFilesystem: true,
              runAsNonRoot: true,
            },
            ...(secretName !== undefined && { volumeMounts: [{ name: 'certificate', mountPath: CERTIFICATE, readOnly: true }] }),
          }],
          ...(secretName !== undefined && { volumes: [{ name: 'certificate', secret: { secretName } }] }),
        },
      },
    },
  });
  const [portName, port] = secretName === undefined ? ['http', 80] as const : ['https', 443] as const;
  new ApiObject(scope, 'ConsoleService', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: selector },
    spec: { selector, ports: [{ name: portName, port, targetPort: 'console', protocol: 'TCP' }] },
  });
  exposeService(scope, 'Console', { name, namespace, portName, port, labels: selector }, console);
}

function consoleArgs(
  { clusterName, hosts = [], historyServerUrl, tlsSecretName, ingress, httpRoute }: OperatorConsole,
  { namespace, names, jobNamespaces, isClusterWide, features: { lease } }: OperatorContext,
): string[] {
  const namespaces = isClusterWide ? [] : jobNamespaces;
  const service = ['', `.${namespace}`, `.${namespace}.svc`, `.${namespace}.svc.cluster.local`].map((domain) => `${names.console.name}${domain}`);
  return containerArgs([
    'console',
    `--port=${CONSOLE_PORT}`,
    `--hosts=${[...new Set([...service, ...hosts, ...(ingress ? [ingress.host] : []), ...httpRoute?.hosts ?? []])].join(',')}`,
    ...(namespaces.length > 0 ? [`--namespaces=${namespaces.join(',')}`] : []),
    ...(lease === undefined ? [] : [`--operator-lease=${namespace}/${lease}`]),
    ...(historyServerUrl === undefined ? [] : [`--history-server=${historyServerUrl}`]),
    ...(clusterName === undefined ? [] : [`--cluster-name=${clusterName}`]),
    ...(tlsSecretName === undefined ? [] : [`--tls-cert-file=${CERTIFICATE}/tls.crt`, `--tls-key-file=${CERTIFICATE}/tls.key`]),
  ]);
}

/** Scheduling settings of the pods; the defaults are the operator's. */
function placement(
  { nodeSelector, tolerations, affinity, priorityClassName, imagePullSecrets, topologySpreadConstraints }: SparkOperatorProps,
  selector: Labels, replicas: number,
): object {
  const all = {
    nodeSelector, tolerations, affinity, priorityClassName,
    imagePullSecrets: imagePullSecrets?.map((name) => ({ name })),
    topologySpreadConstraints: topologySpreadConstraints ?? (replicas > 1 ? spread(selector) : undefined),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
