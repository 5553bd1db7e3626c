/** Returns the key of an entry: two entries with the same key are the same entry. */
export type EntryKey = (entry: unknown) => string;

const by = (...fields: readonly string[]): EntryKey => (entry) => {
  const found = fields
    .map((field) => (entry as Record<string, unknown> | null)?.[field])
    .find((value) => value !== undefined && value !== '');
  return found === undefined ? whole(entry) : String(found);
};

const whole: EntryKey = (entry) => JSON.stringify(entry);

/**
 * Lists that are merged. An entry is added unless there is one of the same key, and entries are
 * never merged. Other lists are replaced as a whole. The rules are the same in the fields of a
 * specification and in its pod templates.
 */
const RULES: Readonly<Record<string, EntryKey>> = {
  env: by('name'),
  volumes: by('name'),
  volumeMounts: by('mountPath'),
  configMaps: by('path'),
  secrets: by('name'),
  ports: by('name', 'containerPort'),
  sidecars: by('name'),
  initContainers: by('name'),
  containers: by('name'),
  hostAliases: by('ip'),
  driverIngressOptions: by('servicePort'),
  tolerations: whole,
  topologySpreadConstraints: whole,
  envFrom: whole,
  imagePullSecrets: whole,
  jars: whole,
  files: whole,
  pyFiles: whole,
  archives: whole,
  packages: whole,
  excludePackages: whole,
  repositories: whole,
};

/** The names of the merged lists, for the documentation's test. */
export const MERGED_LISTS: readonly string[] = Object.keys(RULES);

/** Returns the rule for a list; undefined if it is replaced as a whole. */
export function entryKeyOf(list: string): EntryKey | undefined {
  return Object.hasOwn(RULES, list) ? RULES[list] : undefined;
}

/** Returns the name of an entry in a path: its key, if that is a word and not the entry itself. */
export function entryName(key: string): string | undefined {
  return /^[[{"]/.test(key) ? undefined : key;
}
