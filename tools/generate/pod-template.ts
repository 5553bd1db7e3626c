import type { CompiledPackage } from './assembly.ts';
import { schemaOf, withLimits, type Definitions, type Schema } from './schema.ts';

/** Fields that Kubernetes calls required and accepts when they are missing: Go reads it as an empty value, which is a right one. */
const EMPTY_BY_DEFAULT: Readonly<Record<string, readonly string[]>> = { HttpHeader: ['value'], Sysctl: ['value'], IscsiVolumeSource: ['lun'] };

/** As many as the fields of an application take. */
const MOST_CONTAINERS = 256;

/**
 * The schema of pod templates, which a CRD leaves open: synth and operator check them with it. Its parts refer to each other by name.
 * Containers and their names can be missing, as Spark adds its own. Lists can hold a key twice, as they can in a new Pod.
 */
export function podTemplateFile(pkg: CompiledPackage): { path: string; text: string } {
  const found: Definitions = new Map();
  const template = schemaOf(pkg, pkg.kubernetesType('PodTemplateSpec'), found);
  for (const name of ['PodSpec', 'Container']) delete found.get(name)!.required;
  for (const [name, fields] of Object.entries(EMPTY_BY_DEFAULT)) {
    const definition = found.get(name);
    if (definition) definition.required = definition.required?.filter((field) => !fields.includes(field));
  }
  const podSpec = found.get('PodSpec')!;
  for (const list of ['containers', 'initContainers', 'volumes']) {
    const schema = podSpec.properties![list];
    if (schema) Object.assign(schema, { maxItems: MOST_CONTAINERS });
  }
  for (const { properties } of found.values()) {
    for (const list of Object.values<Schema>(properties ?? {})) {
      delete list['x-kubernetes-list-type'];
      delete list['x-kubernetes-list-map-keys'];
    }
  }
  const definitions = Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, schema]) => [name, withLimits(schema)]));
  return { path: 'schemas/pod-template.json', text: `${JSON.stringify({ template: withLimits(template), definitions }, undefined, 1)}\n` };
}
