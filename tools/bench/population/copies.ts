import type { Entry } from './etcd.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Spark's name of a run. */
const SPARK_ID = /spark-[0-9a-f]{32}/g;
const NODE = /simulated-\d{3}/g;
/** Addresses of Services that are all of one length; the network of a local cluster has 14,000 of them. */
export const ADDRESS = /\b198\.19\.[1-9]\d\.[12]\d{2}\b/g;

/** Makes what is different in copies; everything is as long as what it replaces. */
export interface Makers {
  uuid(): string;
  node(): string;
  /** Of a Service. */
  address(): string;
}

/** Addresses of that length, the last ones first, without those that are taken. */
export function* freeAddresses(taken: ReadonlySet<string>): Generator<string, void> {
  for (let third = 99; third >= 10; third--) {
    for (let fourth = 254; fourth >= 100; fourth--) {
      const address = `198.19.${third}.${fourth}`;
      if (!taken.has(address)) yield address;
    }
  }
}

/**
 * An application with all of its objects once more, as they are in etcd. All that tells the two apart has as many bytes as before, so that it can be replaced in
 * whatever encoding, in which lengths may stand.
 *
 * @param from name of the one that there is
 * @param to name of the other, which is as long
 */
export function copyOf(entries: readonly Entry[], from: string, to: string, make: Makers): Entry[] {
  // Every byte is a character here, and the other way round.
  const texts = entries.map(({ key, value }) => ({ key, text: value.toString('latin1') }));
  const uuids = replacements(texts.flatMap(({ text }) => text.match(UUID) ?? []), () => make.uuid());
  const nodes = replacements(texts.flatMap(({ text }) => text.match(NODE) ?? []), () => make.node());
  const addresses = replacements(texts.flatMap(({ text }) => text.match(ADDRESS) ?? []), () => make.address());
  const ids = replacements(texts.flatMap(({ text }) => text.match(SPARK_ID) ?? []), () => `spark-${make.uuid().replaceAll('-', '')}`);
  // Names of executors begin with the name of the application and have a part of their driver's uid in them.
  const parts = new Map([...uuids].map(([before, after]) => [`${before.slice(0, 8)}-exec-`, `${after.slice(0, 8)}-exec-`]));
  const executorPart = /[0-9a-f]{8}-exec-/g;
  const replaced = (text: string) => text.replace(UUID, (uuid) => uuids.get(uuid)!).replace(SPARK_ID, (id) => ids.get(id)!).replace(executorPart, (part) => parts.get(part) ?? part)
    .replace(NODE, (node) => nodes.get(node)!).replace(ADDRESS, (address) => addresses.get(address)!).replaceAll(from, to);
  return texts.map(({ key, text }) => ({ key: replaced(key), value: Buffer.from(replaced(text), 'latin1') }));
}

function replacements(found: readonly string[], make: () => string): Map<string, string> {
  return new Map([...new Set(found)].map((text) => [text, make()]));
}
