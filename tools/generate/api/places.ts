import { basename } from 'node:path';
import type { KindDefinition } from '../../../src/api/kind.ts';
import type { AssemblyType, CompiledPackage, TypeReference } from '../assembly.ts';

/** Folder of the pages, from the root of the project. */
export const API_FOLDER = 'docs/reference/api';

/** A page: the types of one idea, such as a construct and its props. */
export interface ApiPage {
  /** Name of the file without its ending. */
  readonly name: string;
  /** Its heading: the name of the first type, unless the types only have their place in common. */
  readonly title: string;
  readonly types: readonly AssemblyType[];
  /** File that declares the first type, or the folder of all of them, from the root. */
  readonly source: string;
}

/** Page of the enums of manifests. Their structs are on the pages of the kinds. */
const ENUMS = 'manifest-enums';

/**
 * Returns the pages of the own types, by their names. A page has the types of one source file, and props are with their construct.
 * Structs of manifests have no page here, as the reference of each kind documents them.
 */
export function apiPages(pkg: CompiledPackage): ApiPage[] {
  const groups = new Map<string, AssemblyType[]>();
  for (const type of Object.values(pkg.assembly.types).filter((each) => isHere(pkg, each))) {
    groups.set(pageName(type), [...groups.get(pageName(type)) ?? [], type]);
  }
  return [...groups].map(([name, types]) => {
    const ordered = types.toSorted((a, b) => rank(name, a) - rank(name, b) || (a.name < b.name ? -1 : 1));
    if (name === ENUMS) return { name, title: 'Enums of manifests', types: ordered, source: 'src/api' };
    return { name, title: ordered[0]!.name, types: ordered, source: fileOf(ordered[0]!) };
  }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isHere(pkg: CompiledPackage, type: AssemblyType): boolean {
  return !pkg.isKubernetes(type) && !(isOfManifests(type) && type.kind === 'interface');
}

const fileOf = (type: AssemblyType): string => type.locationInModule.filename;
const isOfManifests = (type: AssemblyType): boolean => fileOf(type).startsWith('src/api/');

function pageName(type: AssemblyType): string {
  return isOfManifests(type) ? ENUMS : basename(fileOf(type), '.ts').replace(/-props$/, '');
}

/** The class that gives the page its name, its props, other classes, structs, enums. */
function rank(page: string, { name, kind }: AssemblyType): number {
  const own = page.replaceAll('-', '');
  if (name.toLowerCase() === own) return 0;
  if (name.toLowerCase() === `${own}props`) return 1;
  return ['class', 'interface', 'enum'].indexOf(kind) + 2;
}

/** Returns the link to a type from a page of the folder; undefined for types of other packages. */
export type LinkTo = (fqn: string) => string | undefined;

/** Returns a function that finds the place of a type: a page of this folder, of a kind, or of Kubernetes. */
export function linksTo(pkg: CompiledPackage, pages: readonly ApiPage[], kinds: readonly KindDefinition[]): LinkTo {
  const places = new Map<string, string>();
  for (const { name, types } of pages) for (const type of types) places.set(type.fqn, `${name}.md#${type.name.toLowerCase()}`);
  for (const kind of kinds) {
    const queue = [pkg.typeNamed(`${kind.kind}Spec`), pkg.typeNamed(`${kind.kind}Status`)];
    for (let type = queue.shift(); type; type = queue.shift()) {
      if (places.has(type.fqn) || pkg.isKubernetes(type)) continue;
      places.set(type.fqn, `../${kind.singular}.md#${type.name.toLowerCase()}`);
      queue.push(...pkg.properties(type).flatMap((property) => namesIn(property.type)).map((fqn) => pkg.type(fqn)));
    }
  }
  return (fqn) => {
    if (!fqn.startsWith(`${pkg.assembly.name}.`)) return undefined;
    const type = pkg.type(fqn);
    const place = pkg.isKubernetes(type) ? type.docs?.see : places.get(fqn);
    if (place === undefined) throw new Error(`${fqn} is on no page of the reference: no kind has it, and ${fileOf(type)} is of manifests`);
    return place;
  };
}

function namesIn(reference: TypeReference): string[] {
  if ('collection' in reference) return namesIn(reference.collection.elementtype);
  return 'fqn' in reference ? [reference.fqn] : [];
}
