import type { Labels } from './family';
import type { KubeObject } from '../../kube/objects';

/** The label that is not one of the application's, but its namespace. */
export const NAMESPACE = 'namespace';
/** The value of a label that an application does not have; kubeflow's. */
export const UNKNOWN = 'Unknown';
/** The value of all labels of applications that are not told apart any more. */
export const OTHER = 'other';

/**
 * Combinations of label values that are told apart. The values come from users: a label that is different on each application must not
 * take all memory, here and in Prometheus.
 */
export const MAX_LABEL_SETS = 1_000;

/** Labels of single lines of histograms and summaries. */
const RESERVED = ['le', 'quantile'];

/**
 * The names of labels as Prometheus takes them: what it does not take becomes `_`, as in `app-type` → `app_type`.
 *
 * @throws RangeError for a name that Prometheus keeps for itself
 */
export function labelNames(labels: readonly string[]): string[] {
  const names = [...new Set(labels.map(validName))];
  for (const name of names) {
    if (RESERVED.includes(name) || name.startsWith('__')) throw new RangeError(`metrics cannot have a label ${name}: Prometheus uses it itself; name another label of applications`);
  }
  return names;
}

function validName(label: string): string {
  return label.replace(/[^a-zA-Z0-9_]/g, '_').replace(/^(?=\d|$)/, '_');
}

/** What is counted for each combination of label values of applications, up to a limit; what comes beyond is counted together. */
export class LabelSets<S> {
  private readonly sets = new Map<string, S>();
  private other?: S;
  /** Objects do not change; for most of them the labels are looked up only once. */
  private readonly known = new WeakMap<KubeObject, S>();

  /**
   * @param names as of `labelNames`
   * @param create makes what is counted, all zero
   */
  constructor(readonly names: readonly string[], private readonly create: (labels: Labels) => S, private readonly limit = MAX_LABEL_SETS) {}

  /** The counts that an application belongs to. */
  of(application: KubeObject): S {
    let set = this.known.get(application);
    if (!set) this.known.set(application, set = this.withValues(this.names.map((name) => valueOf(name, application.metadata))));
    return set;
  }

  /** The counts of what in a namespace has none of the other labels. */
  ofNamespace(namespace: string): S {
    return this.withValues(this.names.map((name) => (name === NAMESPACE ? namespace : UNKNOWN)));
  }

  /** All there are. */
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
