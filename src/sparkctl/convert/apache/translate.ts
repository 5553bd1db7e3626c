import { isMap, isNode, isScalar, Pair, Scalar, YAMLMap, type Document } from 'yaml';
import { isObject } from '../../../model/is-object';
import { fieldOf, objectIn, remove, replace, valueIn } from '../nodes';
import type { OnNote } from '../specification';
import { accompanyingObjects, type AccompanyingObject } from './accompanying';
import { usedFields } from './field-table';
import { programOf, type ProgramFields } from './main-program';
import { convertTolerations } from './restarts';
import { convertConf, type Conf } from './spark-conf-rules';

/** Fields of the metadata that only the API server, or Apache's operator, writes. */
const WRITTEN_METADATA = [
  'creationTimestamp', 'deletionGracePeriodSeconds', 'deletionTimestamp', 'finalizers', 'generation', 'managedFields', 'resourceVersion', 'selfLink',
  'uid',
];

/**
 * Translates a SparkApplication of spark.apache.org to v1beta2, in place: metadata and
 * specification. Comments stay with their fields.
 *
 * @returns the objects that Apache's operator would create with each driver
 */
export function translateApplication(object: YAMLMap, document: Document, addNote: OnNote): AccompanyingObject[] {
  const metadata = objectIn(object, 'metadata');
  for (const name of metadata ? WRITTEN_METADATA : []) {
    if (remove(metadata!, name)) addNote('note', `metadata.${name}`, 'is dropped: it belongs to the object of Apache\'s kind');
  }
  const spec = objectIn(object, 'spec');
  if (!spec) {
    addNote('error', 'spec', 'is missing: write it here');
    return [];
  }
  const value: unknown = spec.toJS(document);
  const [name, namespace] = metadata ? [valueIn(metadata, 'name'), valueIn(metadata, 'namespace')] : [];
  translateSpecification(spec, document, addNote);
  return accompanyingObjects(
    isObject(value) ? value : {}, { name: String(name), ...(typeof namespace === 'string' && { namespace }) }, addNote,
  );
}

/** Names of the fields that take the place of one of Apache's. */
type Replacements = Readonly<Record<string, (pair: Pair) => readonly Pair[]>>;

function translateSpecification(spec: YAMLMap, document: Document, addNote: OnNote): void {
  const value = spec.toJS(document) as Readonly<Record<string, unknown>>;
  const note = notesOnFields(value, addNote);
  const text = (name: string) => (typeof value[name] === 'string' ? value[name] : undefined);
  const sparkConf = textsIn(value.sparkConf);
  const versions = isObject(value.runtimeVersions) ? value.runtimeVersions : {};
  const program = programOf(programFields(text), sparkConf, note);
  const tolerations = convertTolerations(value.applicationTolerations, note);
  const conf = convertConf(sparkConf, {
    sparkVersion: String(versions.sparkVersion),
    hasTemplate: { driver: hasTemplate(value.driverSpec), executor: hasTemplate(value.executorSpec) },
    keepsExecutors: tolerations.keepsExecutors, isRestarted: tolerations.isRestarted,
  }, note);
  if (value.deploymentMode === 'ClientMode') {
    note('warning', 'spec.deploymentMode', 'becomes mode: cluster: the driver has a Pod of its own; Apache\'s operator fails such applications');
  }
  const field = (name: string, content: unknown): Pair => document.createPair(name, content);
  const deps = Object.keys(program.deps).length > 0 ? [field('deps', program.deps)] : [];
  const main = (pair: Pair) => [renamed(pair, 'mainApplicationFile', program.mainApplicationFile), ...deps];
  const fields: Replacements = {
    mainClass: (pair) => (program.hasClass ? [pair] : []),
    ...(program.source && { [program.source]: main }),
    driverArgs: (pair) => [renamed(pair, 'arguments')],
    proxyUser: (pair) => [pair],
    deploymentMode: (pair) => [renamed(pair, 'mode', 'cluster')],
    runtimeVersions: () => (versions.sparkVersion === undefined ? [] : [field('sparkVersion', versions.sparkVersion)]),
    sparkConf: (pair) => [withProperties(pair, { ...conf.changes, ...program.conf }, conf.added, document)],
    driverSpec: (pair) => [podOf(pair, 'driver', conf.driver, document)],
    executorSpec: (pair) => [podOf(pair, 'executor', conf.executor, document)],
    applicationTolerations: () => (['restartPolicy', 'timeToLiveSeconds'] as const)
      .flatMap((name) => (tolerations[name] === undefined ? [] : [field(name, tolerations[name])])),
  };
  const translated = replaced(withOwnComments(spec), fields);
  const has = (name: string) => translated.some(({ key }) => isScalar(key) && key.value === name);
  spec.items = [
    field('type', program.type),
    ...(program.source === undefined ? [field('mainApplicationFile', program.mainApplicationFile), ...deps] : []),
    ...translated,
    ...(has('sparkConf') ? [] : [withProperties(field('sparkConf', {}), {}, conf.added, document)]),
    ...(['driver', 'executor'] as const).filter((role) => !has(role)).map((role) => field(role, conf[role])),
  ];
}

const TEXTS = ['mainClass', 'jars', 'pyFiles', 'sparkRFiles', 'files', 'proxyUser', 'deploymentMode'];
const LISTS = ['driverArgs', 'configMapSpecs', 'driverServiceIngressList', 'driverHttpRouteList', 'driverGrpcRouteList'];
const MAPS = ['runtimeVersions', 'sparkConf', 'driverSpec', 'executorSpec', 'applicationTolerations'];

/** Reports fields of a wrong type, which have no meaning. */
function checkTypes(spec: Readonly<Record<string, unknown>>, addNote: OnNote): void {
  const check = (names: readonly string[], expected: string, isRight: (value: unknown) => boolean) => names
    .filter((name) => spec[name] !== undefined && spec[name] !== null && !isRight(spec[name]))
    .forEach((name) => addNote('error', `spec.${name}`, `is not ${expected}, so Apache's API server rejects it; write one`));
  check(TEXTS, 'a text', (value) => typeof value === 'string');
  check(MAPS, 'an object', isObject);
  check(LISTS, 'a list', Array.isArray);
}

/** Notes on the fields without a counterpart. Returns the callback for the others. */
function notesOnFields(spec: Readonly<Record<string, unknown>>, addNote: OnNote): OnNote {
  checkTypes(spec, addNote);
  for (const { path, row } of usedFields(spec)) {
    if (!row) addNote('warning', path, 'is dropped: spark.apache.org has no such field');
    else if (row.note && isMeant(spec, path)) addNote(row.note.severity, path, row.note.message);
  }
  return addNote;
}

/** Whether a field has a meaning: a negative duration means none. */
function isMeant(spec: unknown, path: string): boolean {
  const value = path.split('.').slice(1).reduce<unknown>((outer, name) => (isObject(outer) ? outer[name] : undefined), spec);
  return typeof value !== 'number' || value >= 0;
}

function programFields(text: (name: string) => string | undefined): ProgramFields {
  return Object.fromEntries((['mainClass', 'jars', 'pyFiles', 'sparkRFiles', 'files'] as const).map((name) => [name, text(name)]));
}

function hasTemplate(pod: unknown): boolean {
  return isObject(pod) && isObject(pod.podTemplateSpec);
}

function textsIn(value: unknown): Conf {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, String(each ?? '')])) : {};
}

/** Renames a field, with its comments; replaces the value if it changes. */
function renamed(pair: Pair, name: string, value?: string): Pair {
  (pair.key as Scalar).value = name;
  if (value !== undefined && !(isScalar(pair.value) && pair.value.value === value)) {
    if (isScalar(pair.value)) {
      pair.value.value = value;
      delete pair.value.source;
    } else {
      pair.value = new Scalar(value);
    }
  }
  return pair;
}

/** Returns the fields of a map. A comment above the first one belongs to the map in YAML. */
function withOwnComments(map: YAMLMap): Pair[] {
  const [first] = map.items as Pair[];
  if (map.commentBefore && first && isScalar(first.key)) {
    first.key.commentBefore = [map.commentBefore, first.key.commentBefore].filter(Boolean).join('\n');
    map.commentBefore = undefined;
  }
  return map.items as Pair[];
}

/** Replaces the fields of a map. A comment above a dropped field stays above the next one. */
function replaced(pairs: readonly Pair[], fields: Replacements): Pair[] {
  let comment: string | null | undefined;
  return pairs.flatMap((pair) => {
    const name = isScalar(pair.key) ? String(pair.key.value) : '';
    const above = isScalar(pair.key) ? pair.key.commentBefore : undefined;
    const next = Object.hasOwn(fields, name) ? fields[name]!(pair) : [];
    const before = [comment, above].filter(Boolean).join('\n');
    comment = before;
    const [first] = next;
    if (!first) return [];
    comment = undefined;
    if (before !== '') (first.key as Scalar).commentBefore = before;
    return [...next];
  });
}

/** Changes and adds properties. */
function withProperties(pair: Pair, changes: Readonly<Record<string, string | undefined>>, added: Conf, document: Document): Pair {
  const map = isMap(pair.value) ? pair.value : new YAMLMap();
  map.flow = map.flow === true && Object.keys(added).length === 0;
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) remove(map, key);
    else replace(map, key, value);
  }
  for (const [index, [key, value]] of Object.entries(added).entries()) {
    const property = document.createPair(key, value);
    if (index === 0) (property.key as Scalar).commentBefore = ' Defaults of Apache\'s operator.';
    map.items.push(property);
  }
  pair.value = map;
  return pair;
}

/** Returns a pod with Apache's template, and the fields that replace properties. */
function podOf(pair: Pair, role: 'driver' | 'executor', fields: Readonly<Record<string, string | number>>, document: Document): Pair {
  const map = isMap(pair.value) ? pair.value : undefined;
  const template = map && fieldOf(map, 'podTemplateSpec');
  const pod = new YAMLMap();
  pod.items = [
    ...Object.entries(fields).map(([name, value]) => document.createPair(name, value)),
    ...(template && isNode(template.value) && isMap(template.value) ? [renamed(template, 'template')] : []),
  ];
  const result = renamed(pair, role);
  result.value = pod;
  return result;
}
