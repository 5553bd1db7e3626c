import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { differencesOf, withoutRepetitions, type Difference } from './differences.ts';
import { isKnown, KNOWN_DIFFERENCES, matches, type KnownDifference } from './known-differences.ts';

/** Folder of the CRDs in kubeflow's repository. */
export const CRD_FOLDER = 'config/crd/bases';

export interface Comparison {
  /** Each entry of the list with its differences. */
  readonly known: readonly { readonly entry: KnownDifference; readonly differences: readonly Difference[] }[];
  /** Differences without an entry. */
  readonly unknown: readonly Difference[];
  /** Entries, each with those of its paths without a difference. */
  readonly stale: readonly KnownDifference[];
}

/** Compares the CRDs of a checkout of kubeflow's repository with those of ours. */
export function compare(checkout: string, root: string): Comparison {
  const files = readdirSync(join(root, 'crds'));
  const read = (folder: string, file: string) => parse(readFileSync(join(folder, file), 'utf8'));
  return sorted(withoutRepetitions(files.flatMap((file) => differencesOf(read(join(checkout, CRD_FOLDER), file), read(join(root, 'crds'), file)))));
}

/** Sorts differences into those of the list and others. */
export function sorted(differences: readonly Difference[], list: readonly KnownDifference[] = KNOWN_DIFFERENCES): Comparison {
  const known = list.map((entry) => ({ entry, differences: differences.filter((difference) => isKnown(entry, difference)) }));
  const stale = known.flatMap(({ entry, differences: found }): KnownDifference[] => {
    const paths = entry.paths.split(' ').filter((glob) => !found.some(({ path }) => matches(glob, path)));
    const facts = entry.facts.filter((fact) => !found.some((difference) => difference.fact === fact));
    return paths.length + facts.length > 0 ? [{ ...entry, paths: paths.join(' '), facts }] : [];
  });
  return { known, unknown: differences.filter((difference) => !list.some((entry) => isKnown(entry, difference))), stale };
}
