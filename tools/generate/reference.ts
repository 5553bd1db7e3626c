import type { KindDefinition } from '../../src/api/kind.ts';
import type { AssemblyType, CompiledPackage, Property, TypeReference } from './assembly.ts';

/** The reference page of a kind: a table for each of its structs, in the order in which they are met. The specification of another kind is on that kind's page. */
export function referencePage(pkg: CompiledPackage, kind: KindDefinition, kinds: readonly KindDefinition[]): { path: string; text: string } {
  const elsewhere = new Map(kinds.filter((other) => other !== kind).map((other) => [pkg.typeNamed(`${other.kind}Spec`).fqn, `${other.singular}.md`]));
  const lines = [
    '<!-- Generated from src/api by `npm run generate`; do not edit. -->',
    `# ${kind.kind} (\`${kind.group}/${kind.version}\`)`,
    '',
    `Short names for kubectl: ${kind.shortNames.map((name) => `\`${name}\``).join(', ')}.`,
    'A field without a default is required.',
    '',
  ];
  const seen = new Set<string>();
  const queue = [pkg.typeNamed(`${kind.kind}Spec`), pkg.typeNamed(`${kind.kind}Status`)];
  for (let type = queue.shift(); type; type = queue.shift()) {
    if (seen.has(type.fqn)) continue;
    seen.add(type.fqn);
    lines.push(...section(pkg, type, elsewhere));
    const inside = pkg.properties(type).flatMap((property) => structsIn(pkg, property.type));
    queue.unshift(...inside.filter((struct) => !seen.has(struct.fqn) && !elsewhere.has(struct.fqn) && !pkg.isKubernetes(struct)));
  }
  return { path: `docs/reference/${kind.singular}.md`, text: lines.join('\n') };
}

/** The pages of structs that have another one, by their names. */
type Elsewhere = ReadonlyMap<string, string>;

function section(pkg: CompiledPackage, type: AssemblyType, elsewhere: Elsewhere): string[] {
  return [
    `## ${type.name}`,
    '',
    type.docs?.summary ?? '',
    ...rules(type.docs?.custom?.validation).map((message) => `- ${message}`),
    '',
    '| field | type | default | meaning |',
    '|---|---|---|---|',
    ...pkg.properties(type).map((property) => row(pkg, property, elsewhere)),
    '',
  ];
}

function row(pkg: CompiledPackage, property: Property, elsewhere: Elsewhere): string {
  const docs = property.docs ?? {};
  const custom = docs.custom ?? {};
  const meaning = [
    docs.summary,
    docs.remarks,
    custom.minimum && `At least ${custom.minimum}.`,
    custom.maximum && `At most ${custom.maximum}.`,
    custom.minLength === '1' && 'Not empty.',
    custom.maxLength && `At most ${custom.maxLength} characters.`,
    (custom.maxItems ?? custom.maxProperties) && `At most ${custom.maxItems ?? custom.maxProperties} entries.`,
    ...rules(custom.validation).map((message) => `Refused otherwise: ${message}.`),
    docs.see && `See ${docs.see}.`,
  ].filter(Boolean).join(' ');
  return `| \`${property.name}\` | ${cell(typeName(pkg, property.type, elsewhere))} | ${property.optional ? cell(defaultOf(docs.default)) : ''} | ${cell(meaning)} |`;
}

function rules(validation: string | undefined): string[] {
  return validation ? (JSON.parse(validation) as { message: string }[]).map((rule) => rule.message) : [];
}

/** jsii's habit: a default that is prose begins with a dash, one that is a value does not. */
function defaultOf(text: string | undefined): string {
  if (!text) return 'none';
  return text.startsWith('-') ? text.slice(1).trim() : `\`${text}\``;
}

function typeName(pkg: CompiledPackage, reference: TypeReference, elsewhere: Elsewhere): string {
  if ('primitive' in reference) return reference.primitive === 'number' ? 'integer' : reference.primitive;
  if ('collection' in reference) {
    const element = typeName(pkg, reference.collection.elementtype, elsewhere);
    return reference.collection.kind === 'array' ? `list of ${element}` : `map of ${element}`;
  }
  const type = pkg.type(reference.fqn);
  if (type.kind === 'enum') return pkg.enumValues(type).map((value) => (value ? `\`${value}\`` : '(empty)')).join(', ');
  return pkg.isKubernetes(type) ? `[${type.name}](${type.docs?.see})` : `[${type.name}](${elsewhere.get(type.fqn) ?? ''}#${type.name.toLowerCase()})`;
}

function structsIn(pkg: CompiledPackage, reference: TypeReference): AssemblyType[] {
  if ('collection' in reference) return structsIn(pkg, reference.collection.elementtype);
  if (!('fqn' in reference)) return [];
  const type = pkg.type(reference.fqn);
  return type.kind === 'interface' ? [type] : [];
}

function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}
