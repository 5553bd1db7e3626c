/**
 * Properties of a CustomResourceDefinition in addition to its fields. The fields come from the
 * kind's `Spec` and `Status` interfaces, see tools/generate.
 */
export interface KindDefinition {
  /** API group, such as `sparkoperator.k8s.io`. */
  readonly group: string;
  /** Served and stored version, such as `v1beta2`. */
  readonly version: string;
  /** Kind as written in a manifest. */
  readonly kind: string;
  /** Lower-case plural, the last part of the API path. */
  readonly plural: string;
  /** Lower-case singular. */
  readonly singular: string;
  /** Names that kubectl accepts in place of the plural. */
  readonly shortNames: readonly string[];
  /** Columns of `kubectl get`. */
  readonly printerColumns: readonly PrinterColumn[];
  /** Maximum length of an object's name, in characters. Default: Kubernetes' 253. */
  readonly maxNameLength?: number;
  /**
   * Reason for this limit, as the rest of a sentence. Default: `as it becomes a label of the pods`.
   */
  readonly maxNameReason?: string;
  /** Further rules for new objects, in CEL about the whole object. */
  readonly creationRules?: readonly CreationRule[];
}

/** A rule in CEL for new objects only: the names of existing objects cannot be changed. */
export interface CreationRule {
  /** The condition; `self` is the object. */
  readonly rule: string;
  /** The error message: why, and what to write instead. */
  readonly message: string;
}

/** A column of `kubectl get`. */
export interface PrinterColumn {
  /** Column title. */
  readonly name: string;
  /** Path of the value in the object. */
  readonly jsonPath: string;
  /** OpenAPI type of the value. */
  readonly type: 'string' | 'integer' | 'date' | 'boolean';
}

/** Returns the reason for the limit of names, as the rest of a sentence. */
export function maxNameReasonOf(kind: KindDefinition): string {
  return kind.maxNameReason ?? 'as it becomes a label of the pods';
}

/** Returns `group/version`, as in a manifest's `apiVersion`. */
export function apiVersionOf(kind: KindDefinition): string {
  return `${kind.group}/${kind.version}`;
}
