import type { KindDefinition } from '../../../src/api/kind.ts';
import type { AssemblyType, CompiledPackage } from '../assembly.ts';
import { apiPageText } from './page.ts';
import { API_FOLDER, apiPages, linksTo, type ApiPage } from './places.ts';

/** Returns the pages of the package's types, and their index. */
export function apiReference(pkg: CompiledPackage, kinds: readonly KindDefinition[]): { readonly path: string; readonly text: string }[] {
  const pages = apiPages(pkg);
  const linkTo = linksTo(pkg, pages, kinds);
  return [
    { path: `${API_FOLDER}/README.md`, text: indexText(pkg, pages) },
    ...pages.map((page) => ({ path: `${API_FOLDER}/${page.name}.md`, text: apiPageText(pkg, linkTo, page) })),
  ];
}

/** Constructs first, then by name. */
function indexText(pkg: CompiledPackage, pages: readonly ApiPage[]): string {
  const [constructs, others] = [pages.filter((page) => isConstruct(pkg, page.types[0]!)), pages.filter((page) => !isConstruct(pkg, page.types[0]!))];
  return [
    '<!-- Generated from src/index.ts by `npm run generate`; do not edit. -->',
    '# API',
    '',
    'Constructs, classes, structs and enums of the package. Their names and props are the same in TypeScript and, in snake case, in Python.',
    "Structs of manifests are on the pages of the kinds, and Kubernetes' own structs (`k8s`) have the fields of Kubernetes' API.",
    '',
    '## Constructs',
    '',
    '| construct | meaning | also on the page |',
    '|---|---|---|',
    ...rows(constructs),
    '',
    '## Other types',
    '',
    '| type | meaning | also on the page |',
    '|---|---|---|',
    ...rows(others),
    '',
  ].join('\n');
}

function rows(pages: readonly ApiPage[]): string[] {
  return pages.map(({ name, title, types }) => {
    const [first, ...rest] = types[0]!.name === title ? types : [undefined, ...types];
    const others = rest.map((type) => `[${type!.name}](${name}.md#${type!.name.toLowerCase()})`);
    return `| [${title}](${name}.md) | ${first ? summary(first) : ''} | ${others.join(', ')} |`;
  });
}

const summary = (type: AssemblyType): string => (type.docs?.summary ?? '').replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');

function isConstruct(pkg: CompiledPackage, { base }: AssemblyType): boolean {
  if (base === undefined) return false;
  return base.startsWith(`${pkg.assembly.name}.`) ? isConstruct(pkg, pkg.type(base)) : true;
}
