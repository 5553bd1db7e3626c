import { CLUSTER_OPTIONS } from '../cluster';
import type { Options, Values } from '../options';
import { INSTALL_OPTIONS } from '../setup/options';

/** Options of `sparkctl migrate`. */
export const MIGRATE_OPTIONS = {
  'values': {
    short: 'f', value: 'FILE', help: "values that were given to kubeflow's chart (default: those of the release in the cluster); - is the standard input",
  },
  'release': { value: 'NAME', help: 'name of the Helm release (default: the only one of the chart)' },
  'release-namespace': { value: 'NAME', help: 'namespace of the Helm release (default: search all namespaces)' },
  'check': { help: 'inspect the cluster, and print the steps; change nothing' },
  'write': { short: 'w', value: 'FILE', help: 'write the props: as a program to FILE.ts or FILE.mts, as values for `sparkctl install` to FILE.yaml' },
  'install': { help: 'install the operator with these props' },
  'namespace': { short: 'n', value: 'NAME', help: "namespace of this operator (default spark-operator; spark-system if kubeflow's is there)" },
  'job-namespace': { ...INSTALL_OPTIONS['job-namespace'], help: 'a namespace to migrate; can be repeated (default: all of the release)' },
  'image': INSTALL_OPTIONS.image,
  'output': { short: 'o', value: 'FORMAT', choices: ['json'], help: 'output format for scripts' },
  'dry-run': INSTALL_OPTIONS['dry-run'],
  'force-conflicts': INSTALL_OPTIONS['force-conflicts'],
  'prune': INSTALL_OPTIONS.prune,
  'no-wait': INSTALL_OPTIONS['no-wait'],
  'timeout': INSTALL_OPTIONS.timeout,
  'context': CLUSTER_OPTIONS.context,
  'kubeconfig': CLUSTER_OPTIONS.kubeconfig,
} as const satisfies Options;

export type MigrateValues = Values<typeof MIGRATE_OPTIONS>;
