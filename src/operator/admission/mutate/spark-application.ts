import { isDeepStrictEqual } from 'node:util';
import { ApplicationState } from '../../../api/states';
import type { KubeObject } from '../../../kube/objects';
import { patchOf } from '../json-patch';
import { ALLOWED, type AdmissionHandler } from '../review';
import type { AdmissionDependencies } from '../world';

interface Fields { readonly [name: string]: unknown }

/** States in which a specification can be completed: nothing of it runs. */
const OPEN: readonly unknown[] = [undefined, null, ApplicationState.NEW, ApplicationState.INVALIDATING];

/**
 * Writes into new applications what they leave to the operator, so that people and tools that read them see what is run. An application means the same
 * with it and without it.
 *
 * Nothing is written where a ConfigMap has defaults, as what an application says wins over those; nor into an application whose specification
 * stays as it is: it would be run again.
 */
export function sparkApplicationDefaulter(world: AdmissionDependencies): AdmissionHandler {
  return ({ operation, namespace, subResource, object, oldObject }) => {
    if (subResource || world.defaults || !object || object.metadata?.deletionTimestamp || !world.isSelected(namespace)) return ALLOWED;
    if (operation !== 'CREATE' && operation !== 'UPDATE') return ALLOWED;
    const spec = fieldsIn(object, 'spec');
    const before = operation === 'UPDATE' ? fieldsIn(oldObject, 'spec') : undefined;
    if (!spec || (before && isDeepStrictEqual(spec, before))) return ALLOWED;
    const completed = withDefaults(spec);
    const isOpen = operation === 'CREATE' || OPEN.includes(fieldsIn(fieldsIn(object, 'status'), 'applicationState')?.state || undefined);
    // A manifest that is put in the place of what was made of it (kubectl replace) changes nothing.
    if (!isOpen && !isDeepStrictEqual(completed, before)) return ALLOWED;
    const patch = patchOf(object, { ...object, spec: completed });
    return patch.length > 0 ? { allowed: true, patch } : ALLOWED;
  };
}

/** Seconds between two attempts. */
const INTERVAL = 5;

/** The specification with what it means by leaving something out. Anything can stand in it: it is checked only after this. */
function withDefaults(spec: Fields): Fields {
  return filled(spec, {
    type: isMissing(spec.type) ? typeOf(spec.mainApplicationFile) : undefined,
    mode: isMissing(spec.mode) ? 'cluster' : undefined,
    ...inner(spec, 'restartPolicy', {}, restartPolicy),
    ...inner(spec, 'driver', undefined, (driver) => podDefaults(driver, 'driver', spec)),
    ...inner(spec, 'executor', undefined, (executor) => ({
      ...podDefaults(executor, 'executor', spec),
      // With dynamic allocation a number is where it begins, and would be the least that Spark starts with.
      ...(isMissing(executor.instances) && !inSparkConf(spec, 'spark.executor.instances') && !isDynamic(spec) && { instances: 1 }),
    })),
    // Without `enabled` the other fields say nothing, whatever `sparkConf` says.
    ...inner(spec, 'dynamicAllocation', undefined, ({ enabled, shuffleTrackingEnabled }) => (enabled === true && isMissing(shuffleTrackingEnabled) ? { shuffleTrackingEnabled: true } : {})),
  });
}

/** Spark goes by the name of the file. */
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

/** As Spark reads it, and as `sparkProperties` decides: the field if it is on, else `sparkConf`. */
function isDynamic(spec: Fields): boolean {
  const inConf = fieldsIn(spec, 'sparkConf')?.['spark.dynamicAllocation.enabled'];
  return fieldsIn(spec, 'dynamicAllocation')?.enabled === true || (typeof inConf === 'string' && inConf.trim().toLowerCase() === 'true');
}

/** Also an empty value is the user's. */
function inSparkConf(spec: Fields, key: string): boolean {
  return Object.hasOwn(fieldsIn(spec, 'sparkConf') ?? {}, key);
}

/** What is added to an object in a field; nothing if something else stands there, or nothing does and nothing is to. */
function inner(spec: Fields, field: string, byDefault: Fields | undefined, added: (value: Fields) => Fields): Fields {
  const value = isMissing(spec[field]) ? byDefault : fieldsIn(spec, field);
  return value ? { [field]: filled(value, added(value)) } : {};
}

/** The object itself if there is nothing to add. */
function filled(fields: Fields, added: Fields): Fields {
  const entries = Object.entries(added).filter(([name, value]) => value !== undefined && value !== fields[name]);
  return entries.length === 0 ? fields : { ...fields, ...Object.fromEntries(entries) };
}

/** Go and Helm write an empty text for a field that is not set. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** An object in a field; undefined if something else stands there. */
function fieldsIn(parent: KubeObject | Fields | undefined, field: string): Fields | undefined {
  const value = parent && (parent as unknown as Fields)[field];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Fields : undefined;
}
