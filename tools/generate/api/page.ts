import type { AssemblyType, Callable, CompiledPackage, Docs, Parameter, Property, TypeReference } from '../assembly.ts';
import type { ApiPage, LinkTo } from './places.ts';

interface Context {
  readonly pkg: CompiledPackage;
  /** Name of the page. */
  readonly page: string;
  readonly linkTo: LinkTo;
}

/** Returns the Markdown of a page: a section for each type, with its props, methods or members. */
export function apiPageText(pkg: CompiledPackage, linkTo: LinkTo, { name, title, types, source }: ApiPage): string {
  const context = { pkg, page: name, linkTo };
  // The type that the page is named after has no heading of its own.
  const sections = types.flatMap((type) => section(context, type, type.name === title ? '#' : '##'));
  return [
    `<!-- Generated from ${source} by \`npm run generate\`; do not edit. -->`,
    ...types[0]!.name === title ? [] : [`# ${title}`, ''],
    ...sections,
  ].join('\n');
}

function section(context: Context, type: AssemblyType, level: string): string[] {
  const body = { class: classBody, interface: structBody, enum: enumBody }[type.kind];
  return [`${level} ${type.name}`, '', ...paragraph(prose(type.docs)), ...body(context, type, level)];
}

function classBody(context: Context, type: AssemblyType, level: string): string[] {
  const { initializer, methods = [] } = type;
  const inherited = ancestors(context.pkg, type);
  return [
    ...paragraph(inherited.length > 0 && `Extends ${link(context, inherited[0]!.fqn)}.`),
    ...initializer && !type.abstract ? ['```ts', `new ${type.name}(${signature(initializer)})`, '```', '', ...parameters(context, initializer)] : [],
    ...propertyTable(context, 'property', context.pkg.properties(type)),
    ...inheritedMethods(inherited),
    ...methods.flatMap((method) => methodSection(context, type, method, `${level}#`)),
  ];
}

function methodSection(context: Context, type: AssemblyType, method: Callable, level: string): string[] {
  const returns = method.returns && ` → ${typeText(context, method.returns.type)}`;
  const owner = method.static ? `${type.name}.` : '';
  return [
    `${level} ${owner}${method.name}()`,
    '',
    ...paragraph(`\`${owner}${method.name}(${signature(method)})\`${returns ?? ''}`),
    ...paragraph(prose(method.docs)),
    ...parameters(context, method),
  ];
}

function inheritedMethods(classes: readonly AssemblyType[]): string[] {
  const links = classes.flatMap(({ name, methods = [] }) => methods.map((method) => (
    `[${method.name}](${kebab(name)}.md#${method.static ? name.toLowerCase() : ''}${method.name!.toLowerCase()})`
  )));
  return paragraph(links.length > 0 && `Inherited methods: ${links.join(', ')}.`);
}

function structBody(context: Context, type: AssemblyType): string[] {
  const bases = (type.interfaces ?? []).map((fqn) => link(context, fqn));
  return [
    ...paragraph(bases.length > 0 && `Includes the props of ${bases.join(' and ')}.`),
    ...propertyTable(context, type.datatype ? 'prop' : 'property', context.pkg.properties(type)),
  ];
}

function enumBody(_: Context, type: AssemblyType): string[] {
  return table(['member', 'meaning'], (type.members ?? []).map(({ name, docs }) => [`\`${name}\``, prose(docs)]));
}

/** Props without a default are required, and come first. */
function propertyTable(context: Context, name: string, properties: readonly Property[]): string[] {
  const ordered = properties.toSorted((a, b) => Number(a.optional ?? false) - Number(b.optional ?? false) || (a.name < b.name ? -1 : 1));
  if (name === 'property') return table([name, 'type', 'meaning'], ordered.map((property) => [`\`${property.name}\``, typeText(context, property.type), prose(property.docs)]));
  return table([name, 'type', 'default', 'meaning'], ordered.map((property) => (
    [`\`${property.name}\``, typeText(context, property.type), property.optional ? defaultOf(property.docs) : '*required*', prose(property.docs)]
  )));
}

function parameters(context: Context, { parameters: all = [] }: Callable): string[] {
  const own = all.filter(({ docs }) => docs?.summary);
  return table(['parameter', 'type', 'meaning'], own.map((parameter) => [`\`${parameter.name}\``, typeText(context, parameter.type), prose(parameter.docs)]));
}

function signature({ parameters: all = [] }: Callable): string {
  return all.map(({ name, optional, variadic, type }: Parameter) => `${variadic ? '...' : ''}${name}${optional ? '?' : ''}: ${plainType(type, variadic)}`).join(', ');
}

/** Base classes of this package, the nearest first. */
function ancestors(pkg: CompiledPackage, { base }: AssemblyType): AssemblyType[] {
  if (!base?.startsWith(`${pkg.assembly.name}.`)) return [];
  const type = pkg.type(base);
  return [type, ...ancestors(pkg, type)];
}

function plainType(reference: TypeReference, isVariadic = false): string {
  if (isVariadic) return `${plainType(reference)}[]`;
  if ('primitive' in reference) return reference.primitive;
  if ('fqn' in reference) return nameOf(reference.fqn);
  const element = plainType(reference.collection.elementtype);
  return reference.collection.kind === 'array' ? `${element}[]` : `Record<string, ${element}>`;
}

function typeText(context: Context, reference: TypeReference): string {
  if ('primitive' in reference) return reference.primitive;
  if ('fqn' in reference) return link(context, reference.fqn);
  return `${reference.collection.kind === 'array' ? 'list' : 'map'} of ${typeText(context, reference.collection.elementtype)}`;
}

function link({ linkTo, page }: Context, fqn: string): string {
  const target = linkTo(fqn);
  const place = target?.startsWith(`${page}.md#`) ? target.slice(page.length + '.md'.length) : target;
  return place === undefined ? `\`${nameOf(fqn)}\`` : `[${nameOf(fqn)}](${place})`;
}

const nameOf = (fqn: string): string => fqn.slice(fqn.lastIndexOf('.') + 1);
const kebab = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

/** jsii's habit: a default that is prose begins with a dash, one that is a value does not. */
function defaultOf(docs: Docs = {}): string {
  const text = docs.default;
  if (!text) return 'none';
  return text.startsWith('-') ? text.slice(1).trim() : `\`${text}\``;
}

function prose({ summary, remarks, see, returns }: Docs = {}): string {
  return [summary, remarks, returns && `Returns ${returns.charAt(0).toLowerCase()}${returns.slice(1)}`, see && `See ${see.startsWith('http') ? `<${see}>` : see}.`].filter(Boolean).join(' ');
}

function paragraph(text: string | false): string[] {
  return text ? [text, ''] : [];
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.map((text) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim()).join(' | ')} |`;
  return [line(titles), `|${'---|'.repeat(titles.length)}`, ...rows.map(line), ''];
}
