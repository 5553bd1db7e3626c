import { isObject } from '../../../model/is-object';
import { parseSelector } from '../../../rules/label-selector';
import { lost, onlyWith, prop, propsAt, type Translate, type ValueEntry, type ValuesTable } from './translation';

const jobNamespaces: Translate = (_, chart) => {
  const list = chart.jobNamespaceList;
  // The chart rejects it, and it must not become all namespaces.
  if (!Array.isArray(list)) return { props: { jobNamespaces: list } };
  const names = chart.jobNamespaces;
  if (names === 'all') return { props: { allNamespaces: true } };
  // Both have this default, but `SparkOperator` only without a selector.
  return names.join() === 'default' && !chart.text(SELECTOR) ? {} : { props: { jobNamespaces: names } };
};

const SELECTOR = 'spark.jobNamespaceSelector';

/** The name of the chart's account begins with that of the release. */
const account: ValueEntry = {
  byDefault: '',
  isDefaultTranslated: true,
  becomes: (_, chart) => ({ props: propsAt('driverServiceAccount.name', chart.driverAccount), note: 'manifests name this account' }),
};

/** Labels that a namespace must have; undefined for requirements other than `key=value`. */
function labelsIn(selector: string): Record<string, string> | undefined {
  const parsed = parseSelector(selector);
  if (typeof parsed === 'string' || !parsed.every(({ operator, values }) => operator === 'In' && values!.length === 1)) return undefined;
  return Object.fromEntries(parsed.map(({ key, values }) => [key, values![0]!]));
}

const selector: Translate = (value, chart) => {
  if (chart.jobNamespaces === 'all') return { note: 'has no effect if all namespaces have jobs' };
  const labels = labelsIn(String(value));
  const names = 'drivers there need a service account that you create';
  return { props: labels ? { namespaceSelector: labels } : { namespaceSelectorExpression: value }, note: names };
};

/** Annotations of Helm, such as the one that keeps objects, mean nothing to other programs. */
function annotations(path: string): Translate {
  return (value: unknown) => {
    const own = isObject(value) ? Object.entries(value).filter(([name]) => !/(?:^|\.)helm\.sh\//.test(name)) : [];
    return own.length > 0 ? { props: propsAt(path, Object.fromEntries(own)) } : { note: 'only Helm reads these annotations' };
  };
}

/** Namespaces of applications, and the account of their drivers. */
export const SPARK: ValuesTable = {
  'spark.jobNamespaces': { byDefault: ['default'], becomes: jobNamespaces, isDefaultTranslated: true },
  [SELECTOR]: { byDefault: '', becomes: selector },
  'spark.serviceAccount.create': { byDefault: true, becomes: prop('driverServiceAccount.create') },
  'spark.serviceAccount.name': account,
  'spark.serviceAccount.annotations': { byDefault: {}, becomes: onlyWith('spark.serviceAccount.create', annotations('driverServiceAccount.annotations')) },
  'spark.serviceAccount.automountServiceAccountToken': {
    byDefault: true,
    becomes: lost('drivers cannot create executors without their token; set automountServiceAccountToken in spec.driver.template of an '
      + 'application that mounts one itself'),
  },
  'spark.rbac.create': { byDefault: true, becomes: prop('driverServiceAccount.createRoles') },
  'spark.rbac.annotations': { byDefault: {}, becomes: onlyWith('spark.rbac.create', annotations('driverServiceAccount.roleAnnotations')) },
};
