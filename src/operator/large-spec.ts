import { labelSizeViolations, sizeRemedy } from '../rules/size';
import { problemText, type Problem } from '../model/problem';
import type { KubeObject } from '../kube/objects';
import type { Resource } from '../kube/resource';
import { boundedMetadata, shortMetadata } from '../model/bounded-metadata';
import { readWhole, type Reader } from './read-whole';
import { isSmall, MAX_FACTS_BYTES } from '../model/spec-facts';
import type { Cut } from '../model/cut';
import { statusWriters, type StatusWriter } from '../model/status-writers';

/**
 * Maximum size of a kept specification with its metadata, in bytes of JSON. Nearly all real ones
 * have a few KiB.
 */
export const MAX_KEPT_BYTES = 16 * 1024;

/** An object in memory: with its whole specification, or with facts of it. */
interface Kept<F> extends KubeObject {
  readonly spec: F;
  readonly cut?: Cut;
  readonly statusWriters?: readonly StatusWriter[];
}

/** A kind of objects whose large specifications are cut. */
export interface LargeKind<S extends F, F, W extends KubeObject> {
  readonly resource: Resource<W>;
  /** Returns the parts of a specification that are read of objects in memory. */
  readonly facts: (spec: S) => F;
  /** Returns those facts whose size users cannot choose. */
  readonly numbers: (spec: S) => F;
  readonly hash: (spec: S) => string;
  /** Returns the parts that are too large to run. */
  readonly oversized: (spec: S) => readonly Problem[];
}

/** Functions for the objects of such a kind: `K` is one in memory, `W` a whole one. */
export interface LargeSpecs<W, K> {
  /**
   * Cuts an object on arrival: its metadata to the parts that are read, and a large specification
   * to facts. From its managed fields it keeps who has written to the status.
   *
   * @param before the same object as kept so far; the facts of a generation are collected once
   */
  transform(object: W, before?: K): K;
  /** Returns the reason why an object is too large to run; undefined if it is not. */
  oversizedReason(object: K): string | undefined;
  /**
   * Reads the whole object from the API server if its specification is not kept. The status is that
   * of the given one.
   *
   * @throws {ApiError} a conflict if it has changed since the decision about it, or is gone
   */
  wholeOf(object: K, reader: Reader): Promise<W>;
}

/** Returns the functions for a kind. */
export function largeSpecs<S extends F, F extends object, W extends KubeObject & { readonly spec: S }, K extends Kept<F>>(
  kind: LargeKind<S, F, W>,
): LargeSpecs<W, K> {
  const reasonOf = (spec: S): string | undefined => {
    const [violation] = kind.oversized(spec);
    return violation && reasonFor(violation);
  };
  return {
    transform: (object, before) => (
      { ...keptOf(object, before, kind, reasonOf), statusWriters: statusWriters(object.metadata) } as Kept<F> as K
    ),
    oversizedReason: ({ spec, cut }) => (cut ? cut.oversizedLabels ?? cut.oversized : reasonOf(spec as S)),
    wholeOf: async (object, reader) => {
      if (!object.cut) return object as Kept<F> as W;
      const { metadata, spec } = await readWhole(reader, kind.resource, object);
      return { ...(object as Kept<F>), metadata, spec, cut: undefined } as KubeObject as W;
    },
  };
}

function reasonFor(violation: Problem): string {
  return `${problemText(violation)}; ${sizeRemedy(violation)}`;
}

function keptOf<S extends F, F extends object, W extends KubeObject & { readonly spec: S }>(
  object: W, before: Kept<F> | undefined, { facts, numbers, hash }: LargeKind<S, F, W>, reasonOf: (spec: S) => string | undefined,
): Kept<F> {
  const metadata = boundedMetadata(object.metadata);
  const { spec } = object;
  const [ofLabels] = labelSizeViolations(metadata);
  const labels = ofLabels && { oversizedLabels: reasonFor(ofLabels) };
  const cutTo = (kept: F, { hash: hashed, oversized }: Cut) => ({
    ...object, metadata: shortMetadata(metadata), spec: kept, cut: {
      hash: hashed, ...(oversized !== undefined && { oversized }), ...labels,
    },
  });
  if (before?.cut && before.metadata.uid === metadata.uid && before.metadata.generation === metadata.generation) {
    return cutTo(before.spec, before.cut);
  }
  try {
    if (isSmall({ spec, metadata }, MAX_KEPT_BYTES)) return { ...object, metadata };
    const all = facts(spec);
    return cutTo(isSmall(all, MAX_FACTS_BYTES) ? all : numbers(spec), { hash: hash(spec), oversized: reasonOf(spec) });
  } catch (error) {
    // JSON.stringify has exceeded its stack.
    if (!(error instanceof RangeError)) throw error;
    return cutTo(numbers(spec), { hash: 'too-deep', oversized: 'spec is nested too deeply; write it with fewer levels' });
  }
}
