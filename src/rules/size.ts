import { isQuantity, propertyOf, type Definitions, type Schema } from './schema';
import type { Violation } from '../model/problem';

/**
 * The largest specification that is run, in bytes of JSON. A client-side `kubectl apply` takes no more, as it copies the object into an
 * annotation (`TotalAnnotationSizeLimitB` of Kubernetes); large real ones have 50 KiB, and etcd stores 1.5 MiB.
 */
export const MAX_SPEC_BYTES = 256 * 1024;

/** The most labels of an object that is run, in bytes of JSON: driver and executors get them, too. */
export const MAX_LABELS_BYTES = 64 * 1024;

const LABELS = 'metadata.labels';

/** Returns what to do about a violation of the sizes. */
export function sizeRemedy({ path }: Violation): string {
  return path === LABELS ? 'write what selects nothing as annotations' : 'move what is long into ConfigMaps, Secrets or files, and mount them';
}

/** Further violations are not listed: the first ones say enough. */
const MAX_VIOLATIONS = 10;

/** Where a specification has pod templates, which its schema leaves open. */
export interface TemplatePlaces {
  /** The schema of the specification. */
  readonly spec: Schema;
  /** The schema of pod templates. */
  readonly podTemplate: { readonly template: Schema; readonly definitions: Definitions };
  /** The fields that hold a template each, such as `driver` for `spec.driver.template`. */
  readonly roles: readonly string[];
}

/**
 * Returns what is larger in a specification than can be run: the whole, a list or a map. Takes time by the size of the
 * specification, and none of its types for granted.
 */
export function sizeViolations({ spec: schema, podTemplate, roles }: TemplatePlaces, spec: unknown): Violation[] {
  const bytes = Buffer.byteLength(JSON.stringify(spec) ?? '');
  if (bytes > MAX_SPEC_BYTES) {
    return [{ path: 'spec', value: undefined, reason: `must have at most ${MAX_SPEC_BYTES / 1024} KiB as JSON, not ${Math.ceil(bytes / 1024)} KiB` }];
  }
  const found: Violation[] = [];
  collect(schema, spec, 'spec', {}, found);
  for (const role of roles) {
    const template = fieldOf(fieldOf(spec, role), 'template');
    collect(podTemplate.template, template, `spec.${role}.template`, podTemplate.definitions, found);
  }
  return found;
}

/** Returns that an object has too many labels. */
export function labelSizeViolations({ labels }: { readonly labels?: unknown }): Violation[] {
  const bytes = Buffer.byteLength(JSON.stringify(labels) ?? '');
  if (bytes <= MAX_LABELS_BYTES) return [];
  return [{ path: LABELS, value: undefined, reason: `must have at most ${MAX_LABELS_BYTES / 1024} KiB as JSON, not ${Math.ceil(bytes / 1024)} KiB` }];
}

/** Whether a list, or the names of an object's fields, are more than a schema allows. */
export function isTooLarge({ maxItems, maxProperties }: Schema, entries: readonly unknown[]): boolean {
  return entries.length > (maxItems ?? maxProperties ?? Infinity);
}

/** Why a list or a map is refused. */
export function tooManyEntries(schema: Schema, entries: readonly unknown[]): string {
  return `must have at most ${schema.maxItems ?? schema.maxProperties} entries, not ${entries.length}`;
}

function collect(schema: Schema, value: unknown, path: string, definitions: Definitions, found: Violation[]): void {
  if (typeof value !== 'object' || value === null || found.length >= MAX_VIOLATIONS) return;
  const known = schema.$ref === undefined ? schema : definitions[schema.$ref] ?? {};
  // A quantity has entries only by mistake, which its type is about.
  if (isQuantity(known)) return;
  const entries: readonly (readonly [string, Schema | undefined, unknown])[] = Array.isArray(value)
    ? value.map((item, index) => [`[${index}]`, known.items, item])
    : Object.entries(value).map(([name, item]) => {
      const property = propertyOf(known, name);
      return [property ? `.${name}` : `[${JSON.stringify(name)}]`, property ?? known.additionalProperties, item];
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
