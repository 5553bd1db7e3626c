import { javaInt, javaTrim, scalaBoolean } from '../properties/java-values';
import type { PartialSpec } from './layer';
import { DYNAMIC_ALLOCATION, LABELS, mapAt, ROLES } from './places';

/**
 * What is enforced, also in the other places that it needs to count whatever an application says: labels of pods in their fields, which win over
 * labels of the application; dynamic allocation in its fields, without which Spark is told defaults, and in properties, as the fields say nothing
 * unless they turn it on.
 */
export function inAllPlaces(enforced: PartialSpec): PartialSpec {
  const allocation = { ...allocationOf(mapAt(enforced, ['sparkConf'])), ...mapAt(enforced, ['dynamicAllocation']) };
  const properties = Object.entries(DYNAMIC_ALLOCATION).flatMap(([field, property]) => (allocation[field] === undefined ? [] : [[property, String(allocation[field])]]));
  return {
    ...enforced,
    ...withEntries(enforced, 'dynamicAllocation', allocation),
    ...withEntries(enforced, 'sparkConf', Object.fromEntries(properties)),
    ...Object.fromEntries(ROLES.flatMap((role) => Object.entries(withEntries(enforced, role, withEntries(mapAt(enforced, [role]), 'labels', labelsOf(enforced, role)))))),
  };
}

/** The fields that say the same as these properties. What Spark could not read is no field. */
function allocationOf(sparkConf: PartialSpec): PartialSpec {
  return Object.fromEntries(Object.entries(DYNAMIC_ALLOCATION).flatMap(([field, property]) => {
    const text = javaTrim(String(sparkConf[property] ?? ''));
    const value = scalaBoolean(text) ?? javaInt(text);
    return value === undefined ? [] : [[field, value]];
  }));
}

/** The labels of a role, in its field or in properties. */
function labelsOf(enforced: PartialSpec, role: (typeof ROLES)[number]): PartialSpec {
  const prefix = LABELS(role);
  const properties = Object.entries(mapAt(enforced, ['sparkConf'])).filter(([key]) => key.startsWith(prefix));
  return { ...Object.fromEntries(properties.map(([key, value]) => [key.slice(prefix.length), value])), ...mapAt(enforced, [role, 'labels']) };
}

/** The map of this name with more entries, unless there are none. */
function withEntries(spec: PartialSpec, name: string, entries: PartialSpec): PartialSpec {
  return Object.keys(entries).length === 0 ? {} : { [name]: { ...mapAt(spec, [name]), ...entries } };
}
