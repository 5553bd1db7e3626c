import { stringify } from 'yaml';
import type { ValidationRule } from '../../src/rules/schema.ts';
import type { KindDefinition } from '../../src/api/kind.ts';
import type { CompiledPackage } from './assembly.ts';
import { schemaOf, withLimits, type Schema } from './schema.ts';

/** A client-side `kubectl apply` keeps a copy of the object in an annotation, and all annotations together end at 256 KiB. The others need little. */
const MAX_BYTES = 255 * 1024;

/** The schema of a kind; its fields are those of the structs `<kind>Spec` and `<kind>Status`. */
export function schemaOfKind(pkg: CompiledPackage, kind: KindDefinition): Schema {
  return {
    type: 'object',
    description: `A ${kind.kind} of ${kind.group}/${kind.version}.`,
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: specSchema(pkg, kind),
      status: schemaOf(pkg, pkg.typeNamed(`${kind.kind}Status`)),
    },
    ...rootRules(kind, () => pkg.module('api/kind').maxNameReasonOf(kind)),
  };
}

function specSchema(pkg: CompiledPackage, kind: KindDefinition): Schema {
  return withLimits(schemaOf(pkg, pkg.typeNamed(`${kind.kind}Spec`)));
}

/** Objects that exist keep their name, and must not become unmanageable: the rules are only for new ones. */
function rootRules({ maxNameLength, creationRules = [] }: KindDefinition, maxNameReason: () => string): { 'x-kubernetes-validations'?: ValidationRule[] } {
  const rules = [
    ...(maxNameLength === undefined ? [] : [{ rule: `self.metadata.name.size() <= ${maxNameLength}`, message: `metadata.name must have at most ${maxNameLength} characters, ${maxNameReason()}` }]),
    ...creationRules,
  ];
  return rules.length === 0 ? {} : { 'x-kubernetes-validations': rules.map(({ rule, message }) => ({ rule: `oldSelf.hasValue() || ${rule}`, message, optionalOldSelf: true })) };
}

/**
 * The schema in the CRD as a file of its own: to read that YAML takes a second, which each synth would wait for. Where another kind's specification is embedded, there
 * is a reference to its file, `<singular>.spec`.
 */
export function schemaFile(pkg: CompiledPackage, kind: KindDefinition, kinds: readonly KindDefinition[]): { path: string; text: string } {
  const schema = schemaOfKind(pkg, kind);
  const others = new Map(kinds.filter((other) => other !== kind).map((other) => [shapeOf(specSchema(pkg, other)), `${other.singular}.spec`]));
  const withReferences = (_: string, value: any): unknown => {
    const $ref = value?.type === 'object' && value.required ? others.get(shapeOf(value)) : undefined;
    return $ref === undefined ? value : { description: value.description, $ref };
  };
  return { path: `schemas/${kind.singular}.json`, text: `${JSON.stringify(schema, withReferences, 1)}\n` };
}

/** Documentation of a field, in addition to its type. */
function shapeOf(schema: Schema): string {
  return JSON.stringify({ ...schema, description: undefined });
}

/** The CRD as a file. */
export function customResourceDefinitionFile(pkg: CompiledPackage, kind: KindDefinition): { path: string; text: string } {
  const crd = pkg.module('rules/custom-resource-definition').customResourceDefinition(kind, schemaOfKind(pkg, kind));
  const bytes = Buffer.byteLength(JSON.stringify(crd));
  if (bytes > MAX_BYTES) throw new Error(`the CRD of ${kind.kind} takes ${bytes} bytes as JSON; kubectl apply takes ${MAX_BYTES}`);
  const header = '# Generated from src/api by `npm run generate`; do not edit.\n';
  return { path: `crds/${kind.group}_${kind.plural}.yaml`, text: header + stringify(crd, { lineWidth: 0, aliasDuplicateObjects: false }) };
}
