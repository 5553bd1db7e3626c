import { KEEP } from './environment';
import type { OtherOperator } from './other-operator';
import { POD_WEBHOOK } from './webhooks';
import type { HelmRelease } from '../chart';
import { quoted } from '../../quote';

/* Commands of the steps, as a user runs them in a shell. */

/** Label by which kubeflow's operator leaves a namespace that it selects by labels. */
export const MOVED = 'sparkoperator.k8s.io/operator';
export const MOVED_VALUE = 'cdk8s';

/** Returns the commands that stop an operator. A pod that ends still works. */
export function stop(namespace: string, name: string, labels: Readonly<Record<string, string>>): string[] {
  const selector = Object.entries(labels).map(([key, value]) => `${key}=${value}`).join(',');
  return [
    `kubectl scale deployment -n ${namespace} ${name} --replicas=0`,
    ...(selector === '' ? [] : [`kubectl wait pod -n ${namespace} -l ${quoted(selector)} --for=delete --timeout=2m`]),
  ];
}

/** Returns the command that changes values of a release. */
export function upgrade({ name, namespace, version }: HelmRelease, values: readonly string[]): string {
  return [
    `helm upgrade ${quoted(name)} spark-operator/spark-operator -n ${quoted(namespace)}`,
    ...(version === undefined ? [] : [`--version ${quoted(version)}`]),
    '--reuse-values', ...values,
  ].join(' ');
}

/** Returns the value by which Helm keeps the objects of a group. */
export function keep(group: string): string {
  return `--set-string ${quoted(`${group}.annotations.${KEEP.replaceAll('.', '\\.')}=keep`)}`;
}

/**
 * Returns the value with names of namespaces. Helm reads `{}` as a list with an empty name, which
 * would mean all namespaces.
 */
export function namesValue(names: readonly string[]): string {
  if (names.length === 0) return "--set-json 'spark.jobNamespaces=[]'";
  return `--set ${quoted(`spark.jobNamespaces={${names.join(',')}}`)}`;
}

/**
 * Returns the value with a selector that leaves out the namespaces that moved. Helm reads commas
 * and backslashes in a value itself.
 */
export function selectorValue(selector: string): string {
  return `--set-string ${quoted(`spark.jobNamespaceSelector=${withoutMoved(selector).replaceAll(',', '\\,')}`)}`;
}

/** Returns a selector that leaves out the namespaces that moved. */
function withoutMoved(selector: string): string {
  const requirement = `${MOVED}!=${MOVED_VALUE}`;
  return selector.includes(requirement) ? selector : `${selector},${requirement}`;
}

/**
 * Returns commands that change the flags of Deployments.
 *
 * @param selector selector of namespaces, which no longer selects those that moved @default - it
 * stays
 */
export function patchDeployments({ namespace, deployment, webhook }: OtherOperator, names: readonly string[], selector?: string): string[] {
  return [deployment, ...(webhook ? [webhook] : [])].flatMap(({ metadata: { name }, spec: { template: { spec } } }) => {
    const { args = [] } = spec.containers[0]!;
    const change = (flag: string, value: string) => {
      const index = args.findLastIndex((arg) => arg.startsWith(`--${flag}=`));
      return { op: index < 0 ? 'add' : 'replace', path: `/spec/template/spec/containers/0/args/${index < 0 ? '-' : index}`, value: `--${flag}=${value}` };
    };
    const ofNames = change('namespaces', names.join(','));
    const patch = [
      // Without names and without the flag, labels select all of them.
      ...(names.length === 0 && ofNames.op === 'add' ? [] : [ofNames]),
      ...(selector !== undefined && args.some((arg) => arg.startsWith('--namespace-selector='))
        ? [change('namespace-selector', withoutMoved(selector))] : []),
    ];
    if (patch.length === 0) return [];
    return [`kubectl patch deployment -n ${namespace} ${name} --type=json --patch ${quoted(JSON.stringify(patch))}`];
  });
}

/** Returns the command that changes the webhook for pods. */
export function patchWebhook(configuration: string, change: object): string {
  const patch = { webhooks: [{ name: POD_WEBHOOK, ...change }] };
  return `kubectl patch mutatingwebhookconfiguration ${quoted(configuration)} --type=strategic --patch ${quoted(JSON.stringify(patch))}`;
}
