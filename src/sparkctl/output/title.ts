/** Parts of an object that name it. */
export interface Titled {
  readonly kind?: string;
  /** A manifest can have any value here. */
  readonly metadata?: unknown;
}

/**
 * Returns the name of an object in all messages: kind, namespace and name, such as
 * `SparkApplication jobs/pi`. It is not `printable` yet. Scripts have kubectl's form, by `-o name`.
 */
export function titleOf({ kind, metadata }: Titled): string {
  const { namespace, name, generateName } = (metadata ?? {}) as Record<string, unknown>;
  return [kind, [namespace, name ?? generateName].filter((part) => typeof part === 'string').join('/')].filter(Boolean).join(' ');
}
