import { isQuantity, propertyOf, type Definitions, type Schema } from './schema';
import type { Problem } from '../model/problem';
import { bytesOf } from '../text/json-bytes';

/**
 * Maximum size of a specification, in bytes of JSON. A client-side `kubectl apply` accepts no
 * larger object, as it copies the object into an annotation (`TotalAnnotationSizeLimitB` of
 * Kubernetes). Large real specifications have 50 KiB, and etcd stores 1.5 MiB.
 */
export const MAX_SPEC_BYTES = 256 * 1024;

/** Maximum size of an object's labels, in bytes of JSON: driver and executors get them, too. */
export const MAX_LABELS_BYTES = 64 * 1024;

const LABELS = 'metadata.labels';

/** Returns the remedy for a size violation. */
export function sizeRemedy({ path }: Problem): string {
  return path === LABELS
    ? 'write labels that select nothing as annotations'
    : 'move long values into ConfigMaps, Secrets or files, and mount them';
}

/** Maximum number of reported violations. */
const MAX_VIOLATIONS = 10;

/**
 * Fields of a specification with pod templates, whose content the specification's schema does not
 * describe.
 */
export interface TemplatePlaces {
  /** Schema of the specification. */
  readonly spec: Schema;
  /** Schema of pod templates. */
  readonly podTemplate: { readonly template: Schema; readonly definitions: Definitions };
  /** Fields with a template each, such as `driver` for `spec.driver.template`. */
  readonly roles: readonly string[];
}

/**
 * Returns the size violations of a specification: of the whole, a list or a map. Takes linear time,
 * and accepts values of any type.
 */
export function sizeViolations({ spec: schema, podTemplate, roles }: TemplatePlaces, spec: unknown): Problem[] {
  const bytes = bytesOf(spec);
  if (bytes > MAX_SPEC_BYTES) {
    const reason = `must have at most ${MAX_SPEC_BYTES / 1024} KiB as JSON, not ${Math.ceil(bytes / 1024)} KiB`;
    return [{ path: 'spec', value: undefined, reason }];
  }
  const found: Problem[] = [];
  collect(schema, spec, 'spec', {}, found);
  for (const role of roles) {
    const template = fieldOf(fieldOf(spec, role), 'template');
    collect(podTemplate.template, template, `spec.${role}.template`, podTemplate.definitions, found);
  }
  return found;
}

/** Reports an object with too many labels. */
export function labelSizeViolations({ labels }: { readonly labels?: unknown }): Problem[] {
  const bytes = bytesOf(labels);
  if (bytes <= MAX_LABELS_BYTES) return [];
  const reason = `must have at most ${MAX_LABELS_BYTES / 1024} KiB as JSON, not ${Math.ceil(bytes / 1024)} KiB`;
  return [{ path: LABELS, value: undefined, reason }];
}

/** Whether a list, or an object's fields, exceed the schema's maximum. */
export function isTooLarge({ maxItems, maxProperties }: Schema, entries: readonly unknown[]): boolean {
  return entries.length > (maxItems ?? maxProperties ?? Infinity);
}

/** Returns the reason for rejecting a list or a map. */
export function tooManyEntries(schema: Schema, entries: readonly unknown[]): string {
  return `must have at most ${schema.maxItems ?? schema.maxProperties} entries, not ${entries.length}`;
}

function collect(schema: Schema, value: unknown, path: string, definitions: Definitions, found: Problem[]): void {
  if (typeof value !== 'object' || value === null || found.length >= MAX_VIOLATIONS) return;
  const known = schema.$ref === undefined ? schema : definitions[schema.$ref] ?? {};
  // A quantity has entries only by mistake; the check of its type reports that.
  if (isQuantity(known)) return;
  const entries: readonly (readonly [string, Schema | undefined, unknown])[] = Array.isArray(value)
    ? value.map((item, index) => [`[${index}]`, known.items, item])
    : Object.entries(value).map(([name, item]) => {
      const property = propertyOf(known, name);
      return [property ? `.${name}` : `[${name}]`, property ?? known.additionalProperties, item];
    });
  if (isTooLarge(known, entries)) {
    found.push({ path, value: undefined, reason: tooManyEntries(known, entries) });
    return;
  }
  for (const [step, inner, item] of entries) if (inner) collect(inner, item, path + step, definitions, found);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}
