import { isDeepStrictEqual } from 'node:util';
import { resources } from './resources';
import { numeric, onlyWith, prop, propsAt, type Translate, type ValueEntry, type ValuesTable } from './translation';
import { isObject } from '../../../model/is-object';

/** Pods of the chart, and the props of those that replace them. */
interface PodPlace {
  /** Part of the chart: `controller` or `webhook`. */
  readonly from: string;
  /** Prefix of the props: empty, or `webhook.deployment.`. */
  readonly to: string;
  /** Suffix of the label `app.kubernetes.io/name` of our pods. */
  readonly suffix: string;
  /** Volume of the chart for which the operator here has no use, and its path. */
  readonly volume: { readonly definition: { readonly name: string }; readonly mount: object };
}

/** Security context of a container in the chart; that of `SparkOperator` is the same. */
const RESTRICTED = {
  readOnlyRootFilesystem: true, privileged: false, allowPrivilegeEscalation: false, runAsNonRoot: true,
  capabilities: { drop: ['ALL'] }, seccompProfile: { type: 'RuntimeDefault' },
};

/** Returns the values of the pods of a part of the chart. */
export function podValues(place: PodPlace): ValuesTable {
  const { from, to, suffix, volume } = place;
  const shared = to === '' ? 'pods of the webhook have it, too, unless it has its own' : undefined;
  const entries: Readonly<Record<string, ValueEntry>> = {
    'replicas': { byDefault: 1, becomes: numeric(`${to}replicas`), ...(to !== '' && { isDefaultTranslated: true }) },
    'revisionHistoryLimit': { byDefault: 10, becomes: numeric(`${to}revisionHistoryLimit`) },
    'serviceAccount.create': { byDefault: true, becomes: ownAccount(place) },
    'serviceAccount.name': { byDefault: '', becomes: prop(`${to}serviceAccountName`) },
    'serviceAccount.annotations': {
      byDefault: {}, becomes: onlyWith(`${from}.serviceAccount.create`, prop(`${to}serviceAccountAnnotations`)),
    },
    'serviceAccount.automountServiceAccountToken': {
      byDefault: true,
      becomes: prop(
        `${to}automountServiceAccountToken`, 'needs a projected token at /var/run/secrets/kubernetes.io/serviceaccount, by volumes and volumeMounts',
      ),
    },
    'rbac.create': { byDefault: true, becomes: prop(`${to}createRoles`, 'your Roles need the rules of this operator, see docs/operate/install.md') },
    'rbac.annotations': { byDefault: {}, becomes: onlyWith(`${from}.rbac.create`, prop(`${to}roleAnnotations`)) },
    'labels': { byDefault: {}, becomes: prop(`${to}podLabels`) },
    'annotations': { byDefault: {}, becomes: prop(`${to}podAnnotations`) },
    'deploymentAnnotations': { byDefault: {}, becomes: prop(`${to}deploymentAnnotations`) },
    'volumes': { byDefault: [volume.definition], becomes: listProp(`${to}volumes`, volume.definition.name) },
    'volumeMounts': { byDefault: [volume.mount], becomes: listProp(`${to}volumeMounts`, volume.definition.name) },
    'nodeSelector': { byDefault: {}, becomes: prop(`${to}nodeSelector`) },
    'affinity': { byDefault: {}, becomes: prop(`${to}affinity`) },
    'tolerations': { byDefault: [], becomes: prop(`${to}tolerations`) },
    'priorityClassName': { byDefault: '', becomes: prop(`${to}priorityClassName`, shared) },
    'podSecurityContext': { byDefault: { fsGroup: 185 }, becomes: changes(`${to}podSecurityContext`, { fsGroup: 185 }) },
    'topologySpreadConstraints': { byDefault: [], becomes: spread(`${to}topologySpreadConstraints`, suffix) },
    'hostUsers': { byDefault: null, becomes: prop(`${to}hostUsers`, shared) },
    'env': { byDefault: [], becomes: prop(`${to}env`) },
    'envFrom': { byDefault: [], becomes: prop(`${to}envFrom`) },
    'resources': { byDefault: {}, becomes: resources(`${to}resources`) },
    'securityContext': { byDefault: RESTRICTED, becomes: changes(`${to}securityContext`, RESTRICTED) },
    'sidecars': {
      byDefault: [],
      becomes: prop(`${to}sidecars`, "the operator's namespace enforces the restricted standard, which their securityContext must meet"),
    },
    'podDisruptionBudget.enable': { byDefault: false, becomes: budget(place) },
    'podDisruptionBudget.minAvailable': {
      byDefault: 1, becomes: onlyWith(`${from}.podDisruptionBudget.enable`, prop(`${to}disruptionBudget.minAvailable`)),
    },
  };
  return Object.fromEntries(Object.entries(entries).map(([path, entry]) => [
    `${from}.${path}`, to === '' || entry.isDefaultTranslated ? entry : notInherited(path, entry),
  ]));
}

/** Values that pods of the webhook have from those of the operator, unless they are set. */
const INHERITED: readonly string[] = [
  'labels', 'annotations', 'deploymentAnnotations', 'volumes', 'volumeMounts', 'nodeSelector', 'affinity', 'tolerations',
  'topologySpreadConstraints', 'env', 'envFrom', 'sidecars', 'podSecurityContext', 'securityContext', 'revisionHistoryLimit',
  'podDisruptionBudget.enable',
];

/** The chart's webhook inherits nothing from the controller, so its unset values are empty. */
function notInherited(path: string, entry: ValueEntry): ValueEntry {
  if (!INHERITED.includes(path)) return entry;
  const { byDefault, becomes } = entry;
  return {
    ...entry,
    isDefaultTranslated: true,
    becomes: (value, chart) => {
      if (!isDeepStrictEqual(value, byDefault)) return becomes(value, chart);
      const { props } = chart.isSet(`controller.${path}`) ? becomes(value, chart) : {};
      return props ? { props, note: "otherwise it would have that of the operator's pods" } : {};
    },
  };
}

/** Without a name, the chart uses the account `default`. */
function ownAccount({ from, to }: PodPlace): Translate {
  return (value, chart) => ({
    props: propsAt(to.replace(/\.$/, ''), {
      createServiceAccount: value, ...(value === false && !chart.text(`${from}.serviceAccount.name`) && { serviceAccountName: 'default' }),
    }),
  });
}

/** Translates a list without the chart's own volume, which the operator here does not need. */
function listProp(path: string, without: string): Translate {
  return (value: unknown) => {
    if (!Array.isArray(value)) return { props: propsAt(path, value) };
    const others = value.filter((each: unknown) => !isObject(each) || each.name !== without);
    return { props: propsAt(path, others), ...(others.length < value.length && { note: `without ${without}, which it does not need here` }) };
  };
}

/** Translates the fields of a map that differ from those of the chart. */
function changes(path: string, byDefault: Readonly<Record<string, unknown>>): Translate {
  return prop(path, undefined, (value: unknown) => (isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name, each]) => !isDeepStrictEqual(each, byDefault[name])))
    : value));
}

/** The chart replaces the label selector of each constraint by that of its own pods. */
function spread(path: string, suffix: string): Translate {
  return (value: unknown, chart) => {
    const labelSelector = { matchLabels: { 'app.kubernetes.io/name': `${chart.ownName}${suffix}` } };
    return {
      props: propsAt(path, Array.isArray(value)
        ? value.map((each: unknown) => (isObject(each) ? { ...each, labelSelector } : each))
        : value),
    };
  };
}

/** With several replicas, the operator here has a budget anyway, of another kind. */
function budget({ from, to }: PodPlace): Translate {
  return (value, chart) => ({
    props: propsAt(
      `${to}disruptionBudget`, value === true ? { minAvailable: chart.value(`${from}.podDisruptionBudget.minAvailable`) } : {},
    ),
  });
}
