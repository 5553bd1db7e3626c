import type { SubmitCase } from '../submit-case';
import type { Json, Submitted } from './submitted';

/** Something in which two submissions of the same application differ, also two of spark-submit: it is made equal before comparing. */
export interface Rule {
  readonly name: string;
  /** Why the difference says nothing. */
  readonly reason: string;
  /** The row of docs/explain/deviations.md, if it is also one of the differences that are meant. */
  readonly row?: string;
}

const rules = {
  applicationId: { name: 'application id', reason: 'spark-submit draws it at random' },
  resourcePrefix: { name: 'prefix of the names', reason: 'it holds a random id and the time', row: 'names' },
  serviceName: { name: 'name of the Service if the application\'s is long', reason: 'spark-submit then draws another id; ours is cut', row: 'names' },
  configMapName: { name: 'name of the ConfigMap', reason: 'spark-submit draws it once for each JVM', row: 'names' },
  localDirectory: { name: 'local directory', reason: 'spark-submit draws it at random' },
  submitTime: { name: 'time of the submission', reason: 'it is the time' },
  propertyOrder: { name: 'order of the properties', reason: 'spark-submit writes them in the order of a hash map' },
  environmentOrder: { name: 'order of driverEnv', reason: 'it is the order of a hash map' },
  referenceOrder: { name: 'order of secretKeyRef', reason: 'it is the order of a hash map' },
  secretOrder: { name: 'order of secrets', reason: 'it is the order of a hash map' },
  volumeOrder: { name: 'order of volumes', reason: 'it is the order of a hash set' },
  claimNumber: { name: 'number of a claim on demand', reason: 'it is the position in a hash set' },
  localDirectoryOrder: { name: 'order of local directories', reason: 'spark-submit shuffles them' },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = (typeof rules)[keyof typeof rules]['name'];

/** All rules. */
export const RULES: readonly Rule[] = Object.values(rules);

/** Identifiers that a submission was given or generated. */
export interface Identifiers {
  readonly applicationId: string | undefined;
  readonly resourcePrefix: string | undefined;
  /** Only if it does not follow from the prefix. */
  readonly serviceName: string | undefined;
  readonly configMapName: string | undefined;
  readonly localDirectory: string | undefined;
  readonly submitTime: string | undefined;
}

/** Notes that a rule changed something. */
export type Hit = (rule: RuleName) => void;

/** Makes all equal in which submissions of the same application may differ. */
export function normalise(submitted: Submitted, identifiers: Identifiers, given: SubmitCase, hit: Hit): Submitted {
  const copy = withoutIdentifiers(submitted, identifiers, hit) as { pod: Json; resources: Json[] };
  const container = copy.pod.spec.containers.at(-1);
  for (const resource of copy.resources) sortProperties(resource, given, identifiers.submitTime, hit);
  const change = (rule: RuleName, list: readonly Json[] | undefined, belongs: (item: Json) => boolean) => sortRuns(list, belongs, () => hit(rule));

  const environment = withPrefix(given, 'spark.kubernetes.driverEnv.');
  change(rules.environmentOrder.name, container.env, ({ name, value }) => environment[name] !== undefined && environment[name] === value);
  const references = withPrefix(given, 'spark.kubernetes.driver.secretKeyRef.');
  change(rules.referenceOrder.name, container.env, ({ name, valueFrom }) => references[name] !== undefined && valueFrom?.secretKeyRef !== undefined);

  const secrets = withPrefix(given, 'spark.kubernetes.driver.secrets.');
  change(rules.secretOrder.name, copy.pod.spec.volumes, ({ secret }) => secret !== undefined && secrets[secret.secretName] !== undefined);
  change(rules.secretOrder.name, container.volumeMounts, ({ name, mountPath }) => secrets[String(name).replace(/-volume$/, '')] === mountPath);

  const volumes = new Set(Object.keys(withPrefix(given, 'spark.kubernetes.driver.volumes.')).map((key) => key.split('.')[1]));
  nameClaims(copy, volumes, () => hit(rules.claimNumber.name));
  change(rules.volumeOrder.name, copy.pod.spec.volumes, ({ name }) => volumes.has(name));
  change(rules.volumeOrder.name, container.volumeMounts, ({ name }) => volumes.has(name));
  change(rules.volumeOrder.name, copy.resources, ({ kind }) => kind === 'PersistentVolumeClaim');
  sortLocalDirectories(container, copy.pod.spec.volumes ?? [], () => hit(rules.localDirectoryOrder.name));
  return copy;
}

/** Replaces each identifier with a word, everywhere. */
function withoutIdentifiers(submitted: Submitted, identifiers: Identifiers, hit: Hit): Submitted {
  const words = (['serviceName', 'configMapName', 'applicationId', 'resourcePrefix', 'localDirectory'] as const)
    .flatMap((key) => (identifiers[key] === undefined ? [] : [{ rule: rules[key].name, text: identifiers[key] }]));
  return mapStrings(submitted, (given) => words.reduce((text, word) => {
    if (!text.includes(word.text)) return text;
    hit(word.rule);
    return text.replaceAll(word.text, `<${word.rule}>`);
  }, given)) as Submitted;
}

function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]));
}

/** The lines of the properties file, by key and as they are escaped; comments first. */
function sortProperties({ kind, data }: Json, { properties }: SubmitCase, submitTime: string | undefined, hit: Hit): void {
  if (kind !== 'ConfigMap' || data?.['spark.properties'] === undefined) return;
  const lines = String(data['spark.properties']).replace(/\n$/, '').split('\n');
  const comments = lines.filter((line) => line.startsWith('#'));
  const entries = lines.filter((line) => !line.startsWith('#')).map((line) => {
    const [, key, value] = /^((?:[^\\=]|\\[^])*)=([^]*)$/.exec(line) ?? [undefined, line, undefined];
    return [key!, value] as const;
  });
  const keys = entries.map(([key]) => key);
  if (keys.join('\n') !== [...keys].sort().join('\n')) hit(rules.propertyOrder.name);
  const sorted = Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
  if (submitTime !== undefined && properties['spark.app.submitTime'] === undefined && sorted['spark.app.submitTime'] === submitTime) {
    hit(rules.submitTime.name);
    sorted['spark.app.submitTime'] = `<${rules.submitTime.name}>`;
  }
  // A key that is there twice would be lost in the map.
  data['spark.properties'] = { comments, lines: entries.length, properties: sorted };
}

/** The properties with a prefix, without it. */
function withPrefix({ properties }: SubmitCase, prefix: string): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => key.startsWith(prefix)).map(([key, value]) => [key.slice(prefix.length), value]));
}

/** Sorts the items that belong together, where they follow each other. */
function sortRuns(list: readonly Json[] | undefined, belongs: (item: Json) => boolean, hit: () => void): void {
  const items = list as Json[] | undefined ?? [];
  for (let begin = 0; begin < items.length; begin += 1) {
    let end = begin;
    while (end < items.length && belongs(items[end])) end += 1;
    const run = items.slice(begin, end);
    const sorted = run.map((item) => ({ item, text: stable(item) })).sort((a, b) => (a.text < b.text ? -1 : 1)).map(({ item }) => item);
    if (run.some((item, index) => item !== sorted[index])) hit();
    items.splice(begin, run.length, ...sorted);
    begin = Math.max(begin, end - 1);
  }
}

/** JSON with sorted keys. */
export function stable(value: Json): string {
  return JSON.stringify(value, (_, item) => (
    item === null || typeof item !== 'object' || Array.isArray(item) ? item : Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
  ));
}

/** Puts the name of its volume for the number of each claim on demand. */
function nameClaims({ pod, resources }: { readonly pod: Json; readonly resources: readonly Json[] }, volumes: ReadonlySet<string | undefined>, hit: () => void): void {
  const pattern = /(<prefix of the names>-driver-pvc-)([0-9]+)/;
  for (const { name, persistentVolumeClaim } of pod.spec.volumes ?? []) {
    const [numbered, start, number] = pattern.exec(persistentVolumeClaim?.claimName ?? '') ?? [];
    if (numbered === undefined || !volumes.has(name) || Number(number) >= volumes.size) continue;
    hit();
    const rename = (text: Json) => String(text).replace(pattern, (found) => (found === numbered ? `${start}<${name}>` : found));
    persistentVolumeClaim.claimName = rename(persistentVolumeClaim.claimName);
    for (const { kind, metadata } of resources) if (kind === 'PersistentVolumeClaim') metadata.name = rename(metadata.name);
  }
}

/** The paths in `SPARK_LOCAL_DIRS`, and the paths at which the volumes for them are mounted, which are numbered in the order of the paths. */
function sortLocalDirectories(container: Json, volumes: readonly Json[], hit: () => void): void {
  const variable = (container.env ?? []).findLast(({ name }: Json) => name === 'SPARK_LOCAL_DIRS');
  const mounts: Json[] = (container.volumeMounts ?? []).filter(({ name }: Json) => String(name).startsWith('spark-local-dir-'));
  const paths = mounts.map(({ mountPath }) => mountPath ?? '');
  const listed: string[] = String(variable?.value ?? '').split(',');
  const sorted = [...listed].sort();
  if (variable === undefined || [...paths].sort().join() !== sorted.join()) return;
  if (sorted.join() !== listed.join()) hit();
  variable.value = sorted.join(',');
  const own = mounts.every(({ name }, index) => name === `spark-local-dir-${index + 1}` && volumes.find((volume) => volume.name === name)?.emptyDir !== undefined);
  if (own && paths.join() === listed.join()) mounts.forEach((mount, index) => (mount.mountPath = sorted[index]));
}
