import { DYNAMIC_ALLOCATION } from '../fields';
import { mapAt } from '../paths';
import { javaInt, javaTrim, scalaBoolean } from '../properties/java-values';
import { labelPrefix } from '../properties/labels';
import { ROLES, type Role } from '../properties/role';
import type { PartialSpec } from './layer';

/**
 * Returns enforced values, also in the other places that they need to apply whatever an application
 * sets. Labels of pods are copied to the roles' fields, which take precedence over labels of the
 * application. Dynamic allocation is copied to its fields, without which Spark gets defaults. It is
 * also copied to properties, as the fields have no effect unless they turn it on.
 */
export function inAllPlaces(enforced: PartialSpec): PartialSpec {
  const allocation = { ...allocationOf(mapAt(enforced, ['sparkConf'])), ...mapAt(enforced, ['dynamicAllocation']) };
  const properties = DYNAMIC_ALLOCATION.flatMap(
    ([field, property]) => (allocation[field] === undefined ? [] : [[property, String(allocation[field])]]),
  );
  return {
    ...enforced,
    ...withEntries(enforced, 'dynamicAllocation', allocation),
    ...withEntries(enforced, 'sparkConf', Object.fromEntries(properties)),
    ...Object.fromEntries(ROLES.flatMap(
      (role) => Object.entries(withEntries(enforced, role, withEntries(mapAt(enforced, [role]), 'labels', labelsOf(enforced, role)))),
    )),
  };
}

/** Returns the fields for these properties. A value that Spark cannot read becomes no field. */
function allocationOf(sparkConf: PartialSpec): PartialSpec {
  return Object.fromEntries(DYNAMIC_ALLOCATION.flatMap(([field, property]) => {
    const text = javaTrim(String(sparkConf[property] ?? ''));
    const value = scalaBoolean(text) ?? javaInt(text);
    return value === undefined ? [] : [[field, value]];
  }));
}

/** Returns the labels of a role, from its field or from properties. */
function labelsOf(enforced: PartialSpec, role: Role): PartialSpec {
  const prefix = labelPrefix(role);
  const properties = Object.entries(mapAt(enforced, ['sparkConf'])).filter(([key]) => key.startsWith(prefix));
  return {
    ...Object.fromEntries(properties.map(([key, value]) => [key.slice(prefix.length), value])), ...mapAt(enforced, [role, 'labels']),
  };
}

/** Returns the map of this name with more entries, unless there are none. */
function withEntries(spec: PartialSpec, name: string, entries: PartialSpec): PartialSpec {
  return Object.keys(entries).length === 0 ? {} : { [name]: { ...mapAt(spec, [name]), ...entries } };
}
