import fc from 'fast-check';
import podTemplate from '../../../schemas/pod-template.json';
import schema from '../../../schemas/sparkapplication.json';
import scheduleSchema from '../../../schemas/scheduledsparkapplication.json';
import connectSchema from '../../../schemas/sparkconnect.json';
import { isQuantity, type Definitions, type Schema } from '../../../src/rules/schema';
import { KEYS, NAMES, TEXTS } from './values';

/** A place in a specification that can be long: a text, a list or a map. */
interface Place {
  readonly path: readonly string[];
  readonly schema: Schema;
}

const DEFINITIONS = podTemplate.definitions as unknown as Definitions;
const known = (part: Schema): Schema => (part.$ref === undefined ? part : DEFINITIONS[part.$ref] ?? {});

/** Lists are passed by way of their only entry. */
function placesIn(part: Schema, path: readonly string[], depth = 0): Place[] {
  const { type, properties, items, additionalProperties } = known(part);
  if (isQuantity(known(part)) || depth > 9) return [];
  const own = type === 'string' || items || additionalProperties ? [{ path, schema: known(part) }] : [];
  const inner = items ? placesIn(items, [...path, '0'], depth + 1) : Object.entries(properties ?? {}).flatMap(([name, field]) => placesIn(field, [...path, name], depth + 1));
  return [...own, ...inner];
}

const TEMPLATE = podTemplate.template as unknown as Schema;

function placesOf(file: unknown, roles: readonly string[]): Place[] {
  return [...placesIn((file as Schema).properties!.spec!, ['spec']), ...roles.flatMap((role) => placesIn(TEMPLATE, ['spec', role, 'template']))];
}

/** Metadata as the API server takes it, and as a forged review has it. */
const OF_METADATA = placesIn({
  properties: {
    name: { type: 'string' }, resourceVersion: { type: 'string' },
    labels: { additionalProperties: { type: 'string' } }, annotations: { additionalProperties: { type: 'string' } },
    finalizers: { items: { type: 'string' } }, ownerReferences: { items: { properties: { kind: { type: 'string' }, name: { type: 'string' }, uid: { type: 'string' } }, required: ['kind', 'name', 'uid'] } },
  },
}, ['metadata']);

const OF_APPLICATION = placesOf(schema, ['driver', 'executor']);
const PLACES: { readonly [kind in LargeObject['kind']]: readonly Place[] } = {
  SparkApplication: [...OF_APPLICATION, ...OF_METADATA],
  ScheduledSparkApplication: [
    ...OF_APPLICATION.map(({ path: [, ...path], ...place }) => ({ ...place, path: ['spec', 'template', ...path] })),
    ...placesOf(scheduleSchema, []).filter(({ path }) => path[1] !== 'template'), ...OF_METADATA,
  ],
  SparkConnect: [...placesOf(connectSchema, ['server', 'executor']), ...OF_METADATA],
  Pod: [...placesIn(TEMPLATE, []), ...OF_METADATA],
};

/** Where half of all large parts are: what other fields and properties are compared with. */
const HOT = /^spec,(template,)?(sparkConf|hadoopConf|arguments|volumes|(driver|executor|server),(env|envVars|labels|annotations|volumeMounts|javaOptions|sidecars|tolerations|secrets|configMaps|initContainers|ports|image))$|containers,0,(env|volumeMounts)$|spec,volumes$|^spec,(schedule|timeZone)$|^metadata,(labels|annotations)$/;

/** One part of an object that is large. */
interface Part {
  readonly place: Place;
  /** How long each of its entries is. */
  readonly length: number;
  readonly name: (index: number) => string;
  readonly key: (index: number) => string;
  readonly text: (length: number, index: number) => string;
}

/** An object with large parts. */
export interface LargeObject {
  readonly kind: 'SparkApplication' | 'ScheduledSparkApplication' | 'SparkConnect' | 'Pod';
  readonly metadata?: any;
  readonly spec: any;
  /** Bytes as JSON. */
  readonly size: number;
  /** The parts that are large, for reports. */
  readonly description: string;
}

/** Fields that an entry needs to be one. */
const NEEDED = /^(name|value|key|operator|mountPath|path|image|secretType)$/;
const neededFields = new WeakMap<Schema, readonly (readonly [string, Schema])[]>();

function neededFieldsOf(of: Schema): readonly (readonly [string, Schema])[] {
  const { properties = {}, required = [] } = of;
  const fields = neededFields.get(of) ?? Object.entries(properties).filter(([name]) => required.includes(name) || NEEDED.test(name));
  neededFields.set(of, fields);
  return fields;
}

function entryOf(of: Schema, part: Part, index: number, depth = 0): unknown {
  const { type, items, additionalProperties, enum: words, minimum } = known(of);
  if (words) return words.at(-1);
  if (isQuantity(known(of))) return '1Gi';
  if (items || type === 'array') return [];
  if (additionalProperties) return {};
  if (type === 'integer' || type === 'number') return Math.max(minimum ?? 1, index % 60_000);
  if (type === 'boolean') return true;
  if (type === 'string') return part.text(part.length, index);
  if (depth > 3) return {};
  return Object.fromEntries(neededFieldsOf(known(of)).map(([name, field]) => [name, name === 'name' || name === 'key' ? part.name(index) : entryOf(field, part, index, depth + 1)]));
}

function valueOf(part: Part, bytes: number, within: boolean): unknown {
  const { type, items, additionalProperties, maxItems, maxProperties, enum: words } = part.place.schema;
  const most = within ? maxItems ?? maxProperties ?? Infinity : Infinity;
  if (items) return filled(bytes, most, (index) => entryOf(items, part, index));
  if (additionalProperties) {
    const isConf = /^(spark|hadoop)Conf$/.test(part.place.path.at(-1)!);
    const entries = filled(bytes, most, (index): [string, unknown] => [isConf ? part.key(index) : part.name(index), entryOf(additionalProperties, part, index)]);
    // The API server writes fields in this order.
    return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
  }
  return type === 'string' && !words ? part.text(bytes, 0) : undefined;
}

/** As many entries as come to a number of bytes. */
function filled<T>(bytes: number, most: number, make: (index: number) => T): T[] {
  const entries: T[] = [];
  for (let size = 0, index = 0; size < bytes && index < most; index++) {
    const entry = make(index);
    size += JSON.stringify(entry).length + 1;
    entries.push(entry);
  }
  return entries;
}

function put(target: any, [name, ...rest]: readonly string[], value: unknown): any {
  if (name === undefined) return value;
  const isEntry = name === '0';
  const old = target ?? (isEntry ? [] : {});
  const changed = put(old[name], rest, value);
  if (isEntry) return [typeof changed === 'object' && changed && !Array.isArray(changed) ? { name: 'c', ...changed } : changed, ...(Array.isArray(old) ? old.slice(1) : [])];
  return { ...old, [name]: changed };
}

const APPLICATION = {
  type: 'Python', mode: 'cluster', sparkVersion: '4.1.1', image: 'spark', mainApplicationFile: 'local:///pi.py',
  driver: { cores: 1, memory: '1g' }, executor: { cores: 1, memory: '1g', instances: 2 },
};

const BASE: { readonly [kind in LargeObject['kind']]: object } = {
  SparkApplication: { spec: APPLICATION },
  ScheduledSparkApplication: { spec: { schedule: '@daily', concurrencyPolicy: 'Allow', template: APPLICATION } },
  SparkConnect: { spec: { sparkVersion: '4.1.1', image: 'spark', server: { cores: 1 }, executor: { instances: 2 } } },
  Pod: { spec: {} },
};

/** Bytes of what is worked on; larger objects are refused. */
const WORKED_ON = 250 * 1024;
/** Bytes of what etcd takes. */
const LARGEST = 1.5 * 1024 * 1024;

const partOf = (kind: LargeObject['kind']): fc.Arbitrary<Part> => fc.record({
  place: fc.oneof(fc.constantFrom(...PLACES[kind].filter(({ path }) => HOT.test(path.join()))), fc.constantFrom(...PLACES[kind])),
  length: fc.constantFrom(0, 1, 20, 60, 200, 4_000),
  name: fc.constantFrom(...NAMES), key: fc.constantFrom(...KEYS), text: fc.constantFrom(...TEXTS),
});

/** Objects of up to 1.5 MiB. Most are within what the operator works on, as that costs most; of these the largest are most frequent. */
export const largeObjects: fc.Arbitrary<LargeObject> = fc.constantFrom<LargeObject['kind'][]>(
  'SparkApplication', 'SparkApplication', 'SparkApplication', 'ScheduledSparkApplication', 'SparkConnect', 'Pod',
).chain((kind) => fc.record({
  parts: fc.array(partOf(kind), { minLength: 1, maxLength: 6 }),
  isWithin: fc.integer({ min: 0, max: 5 }).map((number) => number > 0),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
}).map(({ parts, isWithin, share }) => {
  const bytes = (isWithin ? WORKED_ON : LARGEST) * Math.exp(-9 * share * share);
  const object = parts.reduce<any>((built, part) => {
    const value = valueOf(part, bytes / parts.length, isWithin);
    return value === undefined ? built : put(built, part.place.path, value);
  }, BASE[kind]);
  const texts = parts.map(({ place, length, name, key, text }) => `${place.path.join('.')} of ${name(7).slice(0, 20)} or ${key(7)}: ${length} × ${JSON.stringify(text(12, 7))}`);
  const size = Buffer.byteLength(JSON.stringify(object));
  return { kind, ...object, size, description: `${kind} of ${Math.round(size / 1024)} KiB: ${texts.join('; ')}` };
})).filter(({ size }) => size <= LARGEST);
