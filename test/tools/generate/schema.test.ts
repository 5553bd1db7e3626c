import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QUANTITY } from '../../../src/rules/schema';
import { CompiledPackage } from '../../../tools/generate/assembly';
import { customResourceDefinitionFile } from '../../../tools/generate/crd';
import { podTemplateFile } from '../../../tools/generate/pod-template';
import { schemaOf } from '../../../tools/generate/schema';

const root = mkdtempSync(join(tmpdir(), 'generate-'));
afterAll(() => rmSync(root, { recursive: true }));

const STRING = { primitive: 'string' };
const NUMBER = { primitive: 'number' };
const list = (elementtype: object) => ({ collection: { kind: 'array', elementtype } });
const map = (elementtype: object) => ({ collection: { kind: 'map', elementtype } });

/** A package with the given structs: name → property → type and tags. */
function packageOf(structs: Record<string, Record<string, { type: object; tags?: Record<string, string>; summary?: string }>>): CompiledPackage {
  const types = Object.fromEntries(Object.entries(structs).map(([name, properties]) => [`p.${name}`, {
    fqn: `p.${name}`, name: name.split('.').at(-1), kind: 'interface',
    properties: Object.entries(properties).map(([property, { type, tags, summary }]) => ({ name: property, optional: true, type, docs: { summary, custom: tags } })),
  }]));
  const color = { fqn: 'p.Color', name: 'Color', kind: 'enum', symbolId: 'src/color:Color', members: [{ name: 'RED' }, { name: 'BLUE' }] };
  mkdirSync(join(root, 'lib/rules'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{}');
  writeFileSync(join(root, '.jsii'), JSON.stringify({ name: 'p', types: { ...types, 'p.Color': color } }));
  writeFileSync(join(root, 'lib/color.js'), "exports.Color = { RED: 'red', BLUE: 'blue' };");
  writeFileSync(join(root, 'lib/rules/schema.js'), `exports.QUANTITY = ${JSON.stringify(QUANTITY)};`);
  writeFileSync(join(root, 'lib/rules/custom-resource-definition.js'), 'exports.customResourceDefinition = (kind, schema) => ({ kind, schema });');
  return new CompiledPackage(root);
}

/** The schema of a field of a type with tags. */
function field(type: object, tags: Record<string, string> = {}) {
  const pkg = packageOf({ Thing: { field: { type, tags } }, Empty: {} });
  return schemaOf(pkg, pkg.typeNamed('Thing')).properties!.field;
}

const COLOR = { fqn: 'p.Color' };

test.each<[name: string, type: object, tags: Record<string, string>, schema: object]>([
  ['bounds', NUMBER, { minimum: '1', maximum: '9' }, { type: 'integer', format: 'int32', minimum: 1, maximum: 9 }],
  ['a rule', STRING, { validation: '[{"rule": "self != \'\'", "message": "say something"}]' }, { 'type': 'string', 'x-kubernetes-validations': [{ rule: "self != ''", message: 'say something' }] }],
  ['an enum', COLOR, {}, { type: 'string', enum: ['red', 'blue'] }],
  ['an enum whose empty word means nothing', COLOR, { emptyIsUnset: '' }, { type: 'string', enum: ['', 'red', 'blue'] }],
  ['an enum that may grow', COLOR, { openEnum: '' }, { type: 'string' }],
  ['numbers of 64 bits in a list', list(NUMBER), { format: 'int64' }, { type: 'array', items: { type: 'integer', format: 'int64' } }],
  ['a time', STRING, { format: 'date-time' }, { type: 'string', format: 'date-time', nullable: true }],
  ['a quantity', STRING, { quantity: '' }, QUANTITY],
  ['a map of quantities', map(STRING), { quantity: '' }, { type: 'object', additionalProperties: QUANTITY }],
  ['a port', STRING, { intOrString: '' }, { 'x-kubernetes-int-or-string': true }],
  ['what is left open', { fqn: 'p.Empty' }, { freeForm: '' }, { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true }],
  ['a list with a key', list(STRING), { listMapKeys: '["name"]' }, { 'type': 'array', 'items': { type: 'string' }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }],
])('%s', (_, type, tags, schema) => {
  expect(JSON.parse(JSON.stringify(field(type, tags)))).toEqual(schema);
});

test.each<[tags: Record<string, string>, message: string]>([
  [{ minmum: '1' }, 'Thing.field has the unknown tag @minmum; known are @minimum'],
  [{ minimum: 'one' }, '@minimum of Thing.field is not a whole number: one'],
  [{ validation: '{' }, '@validation of Thing.field is not JSON'],
  [{ validationFrom: 'rules/schema RULES' }, '@validationFrom of Thing.field names no list of rules: rules/schema RULES'],
])('a mistake in the tags %j is reported', (tags, message) => {
  expect(() => field(NUMBER, tags)).toThrow(message);
});

test('a CRD that kubectl apply could not keep in an annotation is not written', () => {
  const kind = { group: 'g', version: 'v1', kind: 'Thing', plural: 'things', singular: 'thing', shortNames: [], printerColumns: [] };
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, { type: STRING, summary: 'x'.repeat(1000) }]));

  expect(customResourceDefinitionFile(packageOf({ ThingSpec: fields(200), ThingStatus: {} }), kind).path).toBe('crds/g_things.yaml');
  expect(() => customResourceDefinitionFile(packageOf({ ThingSpec: fields(260), ThingStatus: {} }), kind)).toThrow(/^the CRD of Thing takes \d+ bytes as JSON; kubectl apply takes 261120$/);
});

test('the schema of templates refers to structs instead of repeating them, and lets a key be there twice', () => {
  const pkg = packageOf({
    'k8s.PodTemplateSpec': { spec: { type: { fqn: 'p.k8s.PodSpec' } } },
    'k8s.PodSpec': { containers: { type: list({ fqn: 'p.k8s.Container' }), tags: { listMapKeys: '["name"]' } }, initContainers: { type: list({ fqn: 'p.k8s.Container' }) } },
    'k8s.Container': { name: { type: STRING } },
  });
  const containers = { type: 'array', items: { $ref: 'Container' }, maxItems: 256 };

  expect(JSON.parse(podTemplateFile(pkg).text)).toEqual({
    template: { type: 'object', properties: { spec: { $ref: 'PodSpec' } } },
    definitions: { PodSpec: { type: 'object', properties: { containers, initContainers: containers } }, Container: { type: 'object', properties: { name: { type: 'string' } } } },
  });
});
