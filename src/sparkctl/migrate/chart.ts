import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../model/is-object';

/** Values of an object, as Helm reads them. */
export type HelmValues = Readonly<Record<string, unknown>>;

/** Installation of kubeflow's chart. */
export interface HelmRelease {
  /** Name of the release. */
  readonly name: string;
  readonly namespace: string;
  /** Values that the user gave. */
  readonly given: HelmValues;
  /** Defaults of its version of the chart. @default - those of the table */
  readonly defaults?: HelmValues;
  /** Version of the chart. @default - unknown */
  readonly version?: string;
  /** Where the values are from, for messages. */
  readonly source: string;
}

/** Values of a release, and the names that its templates derive. */
export class Chart {
  /** @param byDefault returns the default of a value without another one */
  constructor(public readonly release: HelmRelease, private readonly byDefault: (path: string) => unknown) {}

  /** Returns the value at a path: the given one, else the default. */
  value(path: string): unknown {
    const { given, defaults } = this.release;
    const value = valueAt(given, path) ?? valueAt(defaults ?? {}, path) ?? this.byDefault(path);
    return typeof this.byDefault(path) === 'boolean' ? isTrue(value) : value;
  }

  /** Returns whether a value differs from the default of the newest chart. */
  isSet(path: string): boolean {
    const value = this.value(path);
    return value !== undefined && !isDeepStrictEqual(value, this.byDefault(path));
  }

  /** Returns whether a feature gate of kubeflow's operator is on. */
  hasGate(name: string): boolean {
    const gates = this.value('controller.featureGates');
    return Array.isArray(gates) && gates.some((gate: unknown) => isObject(gate) && gate.name === name && isOn(gate));
  }

  /** Prefix of the names of its objects. */
  get fullName(): string {
    const { name } = this.release;
    const full = this.text('fullnameOverride');
    const chart = this.text('nameOverride') || 'spark-operator';
    return cut(full || (name.includes(chart) ? name : `${name}-${chart}`));
  }

  /** Name of this operator: that of the release, if it was overridden. */
  get ownName(): string {
    return this.text('fullnameOverride') || this.text('nameOverride') ? this.fullName : 'spark-operator';
  }

  /** Name of the service account for drivers. */
  get driverAccount(): string {
    const isCreated = this.value('spark.serviceAccount.create') !== false;
    return this.text('spark.serviceAccount.name') || (isCreated ? `${this.fullName}-spark` : 'default');
  }

  /** Namespaces that it names; `all` if the list is empty or has an empty name. */
  get jobNamespaces(): readonly string[] | 'all' {
    const names = this.jobNamespaceList;
    const list = Array.isArray(names) ? names.map(String) : [];
    return list.includes('') || (list.length === 0 && !this.text('spark.jobNamespaceSelector')) ? 'all' : list;
  }

  /** The value of the namespaces. A value of null removes the list of the chart. */
  get jobNamespaceList(): unknown {
    return valueAt(this.release.given, 'spark.jobNamespaces') === null ? [] : this.value('spark.jobNamespaces');
  }

  /** Whether it creates service accounts of drivers in any namespace. */
  get hasNamedNamespaces(): boolean {
    const names = this.jobNamespaceList;
    return Array.isArray(names) && names.some((name) => name !== '');
  }

  /** Returns a value that is a text; an empty one if it is not set. */
  text(path: string): string {
    const value = this.value(path);
    return typeof value === 'string' ? value : '';
  }
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(values: HelmValues, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), values);
}

/**
 * Returns whether a value is true for the chart's templates, which take texts that are not empty
 * for true.
 */
export function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** Returns whether a feature gate is on: the chart prints its value to a flag. */
export function isOn({ enabled }: HelmValues): boolean {
  return String(enabled).toLowerCase() === 'true';
}

/** Cuts a name as the chart does. */
function cut(name: string): string {
  return name.slice(0, 63).replace(/-$/, '');
}
