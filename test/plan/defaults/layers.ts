import type { Layer } from '../../../src/plan/defaults/layer';
import { parseLayer } from '../../../src/plan/defaults/parse';

/** The keys of a ConfigMap, as YAML. */
export interface Files {
  readonly defaults?: string;
  readonly enforced?: string;
  readonly limits?: string;
}

/** The ConfigMap of a namespace, as the API server sends it. */
export function configMap(inNamespace: string, { defaults, enforced, limits }: Files, resourceVersion = '7') {
  const data = { ...(defaults && { 'defaults.yaml': defaults }), ...(enforced && { 'enforced.yaml': enforced }), ...(limits && { 'limits.yaml': limits }) };
  return { metadata: { namespace: inNamespace, name: 'spark-operator-defaults', uid: `uid-${inNamespace}`, resourceVersion }, data };
}

/** The ConfigMap of the operator's namespace, read. */
export function cluster(files: Files): Layer {
  return parseLayer(configMap('spark-operator', files));
}

/** The ConfigMap of the application's namespace, read. */
export function namespace(files: Files): Layer {
  return parseLayer(configMap('jobs', files, '9'));
}
