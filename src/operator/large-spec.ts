import { labelSizeViolations } from '../validation/size';
import type { Violation } from '../validation/validate';
import { violationText } from '../validation/violation-text';
import type { KubeObject } from '../kube/objects';
import { keptMetadata, shortMetadata } from './kept-metadata';
import { isSmall, MAX_FACTS_BYTES } from './submission/spec-facts';

/**
 * A specification with more bytes of JSON, together with its metadata, is not kept. Nearly all real
 * ones have a few KiB.
 */
export const MAX_KEPT_BYTES = 16 * 1024;

/** Facts about a specification that is too large to be kept. */
export interface Cut {
  /** Changes with all that decides what is run. */
  readonly hash: string;
  /** Why it cannot be run, whatever else it says; a sentence. Absent if its size allows it. */
  readonly oversized?: string;
}

/** An object in memory: with its whole specification, or with facts of it. */
interface Kept<F> extends KubeObject {
  readonly spec: F;
  readonly cut?: Cut;
}

/** Rules by which the large specifications of a kind are cut. */
export interface CutRules<S extends F, F> {
  /** Returns the parts that are read of objects in memory. */
  readonly facts: (spec: S) => F;
  /** Returns those of them that have no size that users choose. */
  readonly numbers: (spec: S) => F;
  readonly hash: (spec: S) => string;
  /** Returns what is too large to be run. */
  readonly oversized: (spec: S) => readonly Violation[];
}

/**
 * Cuts an object on arrival: its metadata to what is read of it, and a large specification to
 * facts.
 *
 * @param before the same object as it was kept; the facts of a generation are collected once
 */
export function keptOf<S extends F, F extends object, T extends KubeObject & { readonly spec: S }>(
  object: T, before: Kept<F> | undefined, { facts, numbers, hash, oversized }: CutRules<S, F>,
): Omit<T, 'spec' | 'cut'> & Kept<F> {
  const metadata = keptMetadata(object.metadata);
  const { spec } = object;
  if (before?.cut && before.metadata.uid === metadata.uid && before.metadata.generation === metadata.generation) {
    return { ...object, metadata: shortMetadata(metadata), spec: before.spec, cut: before.cut };
  }
  try {
    if (isSmall({ spec, metadata }, MAX_KEPT_BYTES)) return { ...object, metadata };
    const all = facts(spec);
    const [ofLabels] = labelSizeViolations(metadata);
    const [violation] = oversized(spec);
    const reason = ofLabels ? violationText(ofLabels) : violation && oversizedText(violation);
    const cut = { hash: hash(spec), ...(reason !== undefined && { oversized: reason }) };
    return { ...object, metadata: shortMetadata(metadata), spec: isSmall(all, MAX_FACTS_BYTES) ? all : numbers(spec), cut };
  } catch (error) {
    // The stack of JSON.stringify.
    if (!(error instanceof RangeError)) throw error;
    const cut = { hash: 'too-deep', oversized: 'spec is nested too deeply; write it with fewer levels' };
    return { ...object, metadata: shortMetadata(metadata), spec: numbers(spec), cut };
  }
}

/** Returns why an object cannot be run. */
export function oversizedText(violation: Violation): string {
  return `${violationText(violation)}; move what is long into ConfigMaps, Secrets or files, and mount them`;
}
