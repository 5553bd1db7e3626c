import type { Entry } from './etcd.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Spark's name of a run. */
const SPARK_ID = /spark-[0-9a-f]{32}/g;
const NODE = /simulated-\d{3}/g;

/**
 * An application with all of its objects once more, as they are in etcd. All that tells the two apart has as many bytes as before, so that it can be replaced in
 * whatever encoding, in which lengths may stand.
 *
 * @param from name of the one that there is
 * @param to name of the other, which is as long
 * @param newUuid makes ids
 * @param newNode names a node; those of all pods are other ones
 */
export function copyOf(entries: readonly Entry[], from: string, to: string, newUuid: () => string, newNode: () => string): Entry[] {
  // Every byte is a character here, and the other way round.
  const texts = entries.map(({ key, value }) => ({ key, text: value.toString('latin1') }));
  const uuids = replacements(texts.flatMap(({ text }) => text.match(UUID) ?? []), newUuid);
  const ids = replacements(texts.flatMap(({ text }) => text.match(SPARK_ID) ?? []), () => `spark-${newUuid().replaceAll('-', '')}`);
  // Names of executors begin with the name of the application and have a part of their driver's uid in them.
  const parts = new Map([...uuids].map(([before, after]) => [`${before.slice(0, 8)}-exec-`, `${after.slice(0, 8)}-exec-`]));
  const executorPart = /[0-9a-f]{8}-exec-/g;
  const replaced = (text: string) => text.replace(UUID, (uuid) => uuids.get(uuid)!).replace(SPARK_ID, (id) => ids.get(id)!)
    .replace(executorPart, (part) => parts.get(part) ?? part).replaceAll(from, to);
  return texts.map(({ key, text }) => {
    const node = newNode();
    return { key: replaced(key), value: Buffer.from(replaced(text).replace(NODE, node), 'latin1') };
  });
}

function replacements(found: readonly string[], make: () => string): Map<string, string> {
  return new Map([...new Set(found)].map((text) => [text, make()]));
}
