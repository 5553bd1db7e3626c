import { isDeepStrictEqual } from 'node:util';
import { ApplicationState } from '../../../api/states';
import type { KubeObject } from '../../../kube/objects';
import { patchOf } from '../json-patch';
import { ALLOWED, type AdmissionHandler } from '../review';
import type { AdmissionDependencies } from '../dependencies';

interface Fields { readonly [name: string]: unknown }

/** States in which a specification can be completed, because nothing of it runs. */
const OPEN: readonly unknown[] = [undefined, null, ApplicationState.NEW, ApplicationState.INVALIDATING];

/**
 * Returns the defaulter of SparkApplications. It writes the operator's defaults into new
 * applications, so that users and tools see what is run. The result means the same as the original.
 *
 * It writes nothing where a ConfigMap has defaults, because the fields of an application take
 * precedence over those. It also leaves a started application unchanged, because a changed
 * specification would run again.
 */
export function sparkApplicationDefaulter(dependencies: AdmissionDependencies): AdmissionHandler {
  return ({ operation, namespace, subResource, object, oldObject }) => {
    if (subResource || dependencies.defaults || !dependencies.isSelected(namespace)) return ALLOWED;
    if (!object || object.metadata?.deletionTimestamp) return ALLOWED;
    if (operation !== 'CREATE' && operation !== 'UPDATE') return ALLOWED;
    const spec = fieldsIn(object, 'spec');
    const before = operation === 'UPDATE' ? fieldsIn(oldObject, 'spec') : undefined;
    if (!spec || (before && isDeepStrictEqual(spec, before))) return ALLOWED;
    const completed = withDefaults(spec);
    const isOpen = operation === 'CREATE' || OPEN.includes(fieldsIn(fieldsIn(object, 'status'), 'applicationState')?.state || undefined);
    // Replacing the stored object with its original manifest (kubectl replace) changes nothing.
    if (!isOpen && !isDeepStrictEqual(completed, before)) return ALLOWED;
    const patch = patchOf(object, { ...object, spec: completed });
    return patch.length > 0 ? { allowed: true, patch } : ALLOWED;
  };
}

/** Seconds between two attempts. */
const INTERVAL = 5;

/**
 * Returns the specification with the defaults of missing fields. The fields can have any type,
 * because the check follows later.
 */
function withDefaults(spec: Fields): Fields {
  return filled(spec, {
    type: isMissing(spec.type) ? typeOf(spec.mainApplicationFile) : undefined,
    mode: isMissing(spec.mode) ? 'cluster' : undefined,
    ...inner(spec, 'restartPolicy', {}, restartPolicy),
    ...inner(spec, 'driver', undefined, (driver) => podDefaults(driver, 'driver', spec)),
    ...inner(spec, 'executor', undefined, (executor) => ({
      ...podDefaults(executor, 'executor', spec),
      // With dynamic allocation the number is the initial one, and would become the minimum that
      // Spark starts with.
      ...(isMissing(executor.instances) && !inSparkConf(spec, 'spark.executor.instances') && !isDynamic(spec) && { instances: 1 }),
    })),
    // Without `enabled` the other fields have no effect, whatever `sparkConf` contains.
    ...inner(spec, 'dynamicAllocation', undefined, ({ enabled, shuffleTrackingEnabled }) => (
      enabled === true && isMissing(shuffleTrackingEnabled) ? { shuffleTrackingEnabled: true } : {}
    )),
  });
}

/** Returns the type that Spark derives from the name of the file. */
function typeOf(file: unknown): string {
  const name = typeof file === 'string' ? file : '';
  if (name.endsWith('.py')) return 'Python';
  return /\.R$/i.test(name) ? 'R' : 'Scala';
}

function restartPolicy({ type, onFailureRetryInterval, onSubmissionFailureRetryInterval }: Fields): Fields {
  if (isMissing(type)) return { type: 'Never' };
  if (type === 'Never') return {};
  return {
    ...(isMissing(onFailureRetryInterval) && { onFailureRetryInterval: INTERVAL }),
    ...(isMissing(onSubmissionFailureRetryInterval) && { onSubmissionFailureRetryInterval: INTERVAL }),
  };
}

function podDefaults({ cores, memory }: Fields, role: 'driver' | 'executor', spec: Fields): Fields {
  return {
    ...(isMissing(cores) && !inSparkConf(spec, `spark.${role}.cores`) && { cores: 1 }),
    ...(isMissing(memory) && !inSparkConf(spec, `spark.${role}.memory`) && { memory: '1g' }),
  };
}

/**
 * Whether dynamic allocation is on, by the rules of Spark and `sparkProperties`: the field if it is
 * true, else `sparkConf`.
 */
function isDynamic(spec: Fields): boolean {
  const inConf = fieldsIn(spec, 'sparkConf')?.['spark.dynamicAllocation.enabled'];
  return fieldsIn(spec, 'dynamicAllocation')?.enabled === true || (typeof inConf === 'string' && inConf.trim().toLowerCase() === 'true');
}

/** Whether the user sets a property; an empty value is the user's, too. */
function inSparkConf(spec: Fields, key: string): boolean {
  return Object.hasOwn(fieldsIn(spec, 'sparkConf') ?? {}, key);
}

/**
 * Returns the additions to an object in a field. Returns nothing if the field has another type, or
 * is missing without a default.
 */
function inner(spec: Fields, field: string, byDefault: Fields | undefined, added: (value: Fields) => Fields): Fields {
  const value = isMissing(spec[field]) ? byDefault : fieldsIn(spec, field);
  return value ? { [field]: filled(value, added(value)) } : {};
}

/** Returns the object with additions; the same object if there are none. */
function filled(fields: Fields, added: Fields): Fields {
  const entries = Object.entries(added).filter(([name, value]) => value !== undefined && value !== fields[name]);
  return entries.length === 0 ? fields : { ...fields, ...Object.fromEntries(entries) };
}

/** Whether a field is missing. Go and Helm write an empty text for a field that is not set. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Returns the object in a field; undefined if the field has another type. */
function fieldsIn(parent: KubeObject | Fields | undefined, field: string): Fields | undefined {
  const value = parent && (parent as unknown as Fields)[field];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Fields : undefined;
}
