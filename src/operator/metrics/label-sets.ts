import type { Labels } from './family';
import type { KubeObject } from '../../kube/objects';

/** Name of the label with the namespace of the application, which is not one of its labels. */
export const NAMESPACE = 'namespace';
/** Value of a label that an application does not have, as in kubeflow. */
export const UNKNOWN = 'Unknown';
/** Value of all labels of applications beyond the limit. */
export const OTHER = 'other';

/**
 * Maximum number of combinations of label values. Users choose the values: a label that differs on
 * each application must not fill the memory, here and in Prometheus.
 */
export const MAX_LABEL_SETS = 1_000;

/** Labels of lines of histograms and summaries. */
const RESERVED = ['le', 'quantile'];

/**
 * Returns valid Prometheus names of labels. Invalid characters become `_`, as in `app-type` →
 * `app_type`.
 *
 * @throws RangeError for a name that is reserved by Prometheus
 */
export function labelNames(labels: readonly string[]): string[] {
  const names = [...new Set(labels.map(validName))];
  for (const name of names) {
    if (RESERVED.includes(name) || name.startsWith('__')) {
      throw new RangeError(`metrics cannot have a label ${name}: Prometheus uses it itself; name another label of applications`);
    }
  }
  return names;
}

function validName(label: string): string {
  return label.replace(/[^a-zA-Z0-9_]/g, '_').replace(/^(?=\d|$)/, '_');
}

/**
 * Counts for each combination of label values of applications, up to a limit; further combinations
 * share one.
 */
export class LabelSets<S> {
  private readonly sets = new Map<string, S>();
  private other?: S;
  /**
   * Cache of the counts by labels object. These objects do not change, so most are looked up once.
   */
  private readonly known = new WeakMap<KubeObject, S>();

  /**
   * @param names as of `labelNames`
   * @param create returns counts of zero
   */
  constructor(readonly names: readonly string[], private readonly create: (labels: Labels) => S, private readonly limit = MAX_LABEL_SETS) {}

  /** Returns the counts of an application. */
  of(application: KubeObject): S {
    let set = this.known.get(application);
    if (!set) this.known.set(application, set = this.withValues(this.names.map((name) => valueOf(name, application.metadata))));
    return set;
  }

  /** Returns the counts of a namespace for objects without other labels. */
  ofNamespace(namespace: string): S {
    return this.withValues(this.names.map((name) => (name === NAMESPACE ? namespace : UNKNOWN)));
  }

  /** Returns all counts. */
  all(): S[] {
    return [...this.sets.values(), ...(this.other === undefined ? [] : [this.other])];
  }

  private withValues(values: readonly string[]): S {
    const key = values.join('\0');
    let set = this.sets.get(key);
    if (set === undefined && this.sets.size >= this.limit) return this.other ??= this.make(this.names.map(() => OTHER));
    if (set === undefined) this.sets.set(key, set = this.make(values));
    return set;
  }

  private make(values: readonly string[]): S {
    return this.create(Object.fromEntries(this.names.map((name, index) => [name, values[index]!])));
  }
}

function valueOf(name: string, { namespace = '', labels = {} }: KubeObject['metadata']): string {
  if (name === NAMESPACE) return namespace;
  const label = Object.hasOwn(labels, name) ? name : Object.keys(labels).find((each) => validName(each) === name);
  return label === undefined ? UNKNOWN : labels[label]!;
}
