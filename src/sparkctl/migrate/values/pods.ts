import { resources } from './resources';
import { lost, numeric, prop, propsAt, unneeded, type Translate, type ValuesTable } from './translation';
import { isObject } from '../../../model/is-object';

/** Pods of the chart, and the props of those that replace them. */
interface PodPlace {
  /** Part of the chart: `controller` or `webhook`. */
  readonly from: string;
  /** Prefix of the props: empty, or `webhook.deployment.`. */
  readonly to: string;
  /** Label `app.kubernetes.io/name` of our pods. */
  readonly name: string;
  /** Volume of the chart for which the operator here has no use, and its path. */
  readonly volume: { readonly definition: { readonly name: string }; readonly mount: object };
}

/** Security context of a container in the chart; that of `SparkOperator` says the same. */
const RESTRICTED = {
  readOnlyRootFilesystem: true, privileged: false, allowPrivilegeEscalation: false, runAsNonRoot: true,
  capabilities: { drop: ['ALL'] }, seccompProfile: { type: 'RuntimeDefault' },
};

/** Returns the values of the pods of a part of the chart. */
export function podValues({ from, to, name, volume }: PodPlace): ValuesTable {
  const entries: Readonly<Record<string, ValuesTable[string]>> = {
    replicas: { byDefault: 1, becomes: numeric(`${to}replicas`) },
    revisionHistoryLimit: { byDefault: 10, becomes: numeric(`${to}revisionHistoryLimit`) },
    'serviceAccount.create': { byDefault: true, becomes: prop(`${to}createServiceAccount`) },
    'serviceAccount.name': { byDefault: '', becomes: prop(`${to}serviceAccountName`) },
    'serviceAccount.annotations': { byDefault: {}, becomes: prop(`${to}serviceAccountAnnotations`) },
    'serviceAccount.automountServiceAccountToken': {
      byDefault: true, becomes: lost('the pods always mount their token, without which the operator cannot call the API server; leave it out'),
    },
    'rbac.create': { byDefault: true, becomes: prop(`${to}createRbac`) },
    'rbac.annotations': {
      byDefault: {}, becomes: lost('Roles have no annotations of their own; add them in a program, by ApiObject.metadata.addAnnotation'),
    },
    labels: { byDefault: {}, becomes: prop(`${to}podLabels`) },
    annotations: { byDefault: {}, becomes: prop(`${to}podAnnotations`) },
    deploymentAnnotations: { byDefault: {}, becomes: prop(`${to}deploymentAnnotations`) },
    volumes: {
      byDefault: [volume.definition], becomes: (value) => listProp(`${to}volumes`, value, volume.definition.name),
    },
    volumeMounts: {
      byDefault: [volume.mount], becomes: (value) => listProp(`${to}volumeMounts`, value, volume.definition.name),
    },
    nodeSelector: { byDefault: {}, becomes: prop(`${to}nodeSelector`) },
    affinity: { byDefault: {}, becomes: prop(`${to}affinity`) },
    tolerations: { byDefault: [], becomes: prop(`${to}tolerations`) },
    priorityClassName: { byDefault: '', becomes: prop(`${to}priorityClassName`) },
    podSecurityContext: { byDefault: { fsGroup: 185 }, becomes: prop(`${to}podSecurityContext`) },
    topologySpreadConstraints: { byDefault: [], becomes: spread(`${to}topologySpreadConstraints`, name) },
    hostUsers: { byDefault: null, becomes: prop(`${to}hostUsers`) },
    env: { byDefault: [], becomes: prop(`${to}env`) },
    envFrom: { byDefault: [], becomes: prop(`${to}envFrom`) },
    resources: { byDefault: {}, becomes: resources(`${to}resources`) },
    securityContext: { byDefault: RESTRICTED, becomes: prop(`${to}securityContext`) },
    sidecars: { byDefault: [], becomes: prop(`${to}sidecars`) },
    'podDisruptionBudget.enable': { byDefault: false, becomes: unneeded('a PodDisruptionBudget comes with more than one replica') },
    'podDisruptionBudget.minAvailable': {
      byDefault: 1, becomes: unneeded('the PodDisruptionBudget allows the eviction of one replica at a time (maxUnavailable: 1)'),
    },
  };
  return Object.fromEntries(Object.entries(entries).map(([path, entry]) => [`${from}.${path}`, entry]));
}

/** Translates a list without the chart's own volume, which the operator here does not need. */
function listProp(path: string, value: unknown, without: string) {
  if (!Array.isArray(value)) return { props: propsAt(path, value) };
  const others = value.filter((each: unknown) => !isObject(each) || each.name !== without);
  const note = others.length < value.length ? `without ${without}, which this operator does not need` : undefined;
  return { ...(others.length > 0 && { props: propsAt(path, others) }), ...(note !== undefined && { note }) };
}

/** The chart replaces the label selector of each constraint by that of its own pods. */
function spread(path: string, name: string): Translate {
  const labelSelector = { matchLabels: { 'app.kubernetes.io/name': name } };
  return prop(path, undefined, (value: unknown) => (Array.isArray(value)
    ? value.map((each: unknown) => (isObject(each) ? { ...each, labelSelector } : each))
    : value));
}
