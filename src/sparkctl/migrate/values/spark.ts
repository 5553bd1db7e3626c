import { lost, prop, unneeded, type Translate, type ValueEntry, type ValuesTable } from './translation';

const jobNamespaces: Translate = (_, chart) => {
  const names = chart.jobNamespaces;
  return { props: names === 'all' ? { allNamespaces: true } : { jobNamespaces: names } };
};

/** The chart's default account has the name of the release in it, and that of `SparkOperator` not. */
const account: ValueEntry = {
  byDefault: '',
  isDefaultTranslated: true,
  becomes: (_, chart) => ({
    props: { driverServiceAccountName: chart.driverAccount },
    note: 'manifests name this account',
  }),
};

/** Namespaces of applications, and the account of their drivers. */
export const SPARK: ValuesTable = {
  'spark.jobNamespaces': { byDefault: ['default'], becomes: jobNamespaces },
  'spark.jobNamespaceSelector': { byDefault: '', becomes: prop('namespaceSelector') },
  'spark.serviceAccount.create': { byDefault: true, becomes: prop('createDriverServiceAccount') },
  'spark.serviceAccount.name': account,
  'spark.serviceAccount.annotations': { byDefault: {}, becomes: prop('driverServiceAccountAnnotations') },
  'spark.serviceAccount.automountServiceAccountToken': {
    byDefault: true, becomes: lost('drivers need their token to create executors; set automountServiceAccountToken in pods that must not have one'),
  },
  'spark.rbac.create': { byDefault: true, becomes: prop('createDriverRbac') },
  'spark.rbac.annotations': {
    byDefault: {}, becomes: unneeded('x'),
  },
};
