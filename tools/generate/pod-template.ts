import type { CompiledPackage } from './assembly.ts';
import { schemaOf, type Definitions } from './schema.ts';

/**
 * The schema of pod templates, which a CRD leaves open: synth and operator check them with it. Its parts refer to each other by name.
 * Containers and their names may be missing, as Spark adds its own.
 */
export function podTemplateFile(pkg: CompiledPackage): { path: string; text: string } {
  const found: Definitions = new Map();
  const template = schemaOf(pkg, pkg.kubernetesType('PodTemplateSpec'), found);
  for (const name of ['PodSpec', 'Container']) delete found.get(name)!.required;
  const definitions = Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { path: 'schemas/pod-template.json', text: `${JSON.stringify({ template, definitions }, undefined, 1)}\n` };
}
