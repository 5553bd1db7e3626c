import { apiReference } from '../../../tools/generate/api/main';
import { CompiledPackage } from '../../../tools/generate/assembly';

const STRING = { primitive: 'string' };
const own = (name: string) => ({ fqn: `p.${name}` });
const at = (filename: string) => ({ locationInModule: { filename } });

/** A package with a construct, its props, an inherited method, a struct of manifests, one of Kubernetes and an enum. */
const TYPES = [
  { name: 'Base', kind: 'class', abstract: true, base: 'constructs.Construct', ...at('src/constructs/base.ts'), methods: [{ name: 'addLabel', parameters: [{ name: 'key', type: STRING, docs: { summary: 'Name of the label.' } }] }] },
  {
    name: 'Thing', kind: 'class', base: 'p.Base', ...at('src/constructs/thing.ts'), docs: { summary: 'A thing.' },
    initializer: { parameters: [{ name: 'scope', type: own('Base') }, { name: 'props', type: own('ThingProps') }] },
    methods: [{ name: 'of', static: true, parameters: [{ name: 'labels', variadic: true, type: STRING }], returns: { type: own('Thing') } }],
  },
  {
    name: 'ThingProps', kind: 'interface', datatype: true, ...at('src/props/thing-props.ts'),
    properties: [
      { name: 'color', optional: true, type: own('Color'), docs: { summary: 'Its colour|shade.', default: 'Color.RED' } },
      { name: 'label', optional: true, type: STRING, docs: { summary: 'Its label.', default: '- that of the chart' } },
      { name: 'spec', type: own('ThingSpec'), docs: { summary: 'Its specification.' } },
      { name: 'volumes', optional: true, type: { collection: { kind: 'array', elementtype: own('k8s.Volume') } } },
    ],
  },
  { name: 'ThingSpec', kind: 'interface', datatype: true, ...at('src/api/thing.ts'), properties: [] },
  { name: 'ThingStatus', kind: 'interface', datatype: true, ...at('src/api/thing.ts'), properties: [] },
  { name: 'Color', kind: 'enum', ...at('src/api/thing.ts'), members: [{ name: 'RED', docs: { summary: 'As a rose.' } }] },
  { name: 'k8s.Volume', kind: 'interface', ...at('src/k8s/index.ts'), docs: { see: 'https://kubernetes.example/volume' } },
];
const KIND = { kind: 'Thing', singular: 'thing' };

function pagesOf(types: readonly { readonly name: string }[]): Record<string, string> {
  const pkg: CompiledPackage = Object.assign(Object.create(CompiledPackage.prototype), {
    assembly: { name: 'p', types: Object.fromEntries(types.map((type) => [`p.${type.name}`, { ...type, fqn: `p.${type.name}`, name: type.name.split('.').at(-1) }])) },
  });
  return Object.fromEntries(apiReference(pkg, [KIND as any]).map(({ path, text }) => [path.replace('docs/reference/api/', ''), text]));
}
const pages = pagesOf(TYPES);

test('a construct and its props share a page, enums of manifests have one, and structs of manifests and of Kubernetes none', () => {
  expect(Object.keys(pages)).toEqual(['README.md', 'base.md', 'manifest-enums.md', 'thing.md']);
});

test('a construct has its constructor, its methods, and links to those that it inherits', () => {
  expect(pages['thing.md']).toContain('# Thing\n\nA thing.\n\nExtends [Base](base.md#base).\n\n```ts\nnew Thing(scope: Base, props: ThingProps)\n```\n');
  expect(pages['thing.md']).toContain('Inherited methods: [addLabel](base.md#addlabel).');
  expect(pages['thing.md']).toContain('## Thing.of()\n\n`Thing.of(...labels: string[])` → [Thing](#thing)\n');
  expect(pages['base.md']).toContain('## addLabel()\n\n`addLabel(key: string)`\n\n| parameter | type | meaning |\n|---|---|---|\n| `key` | string | Name of the label. |\n');
});

test('a prop has its type with a link, its default and its meaning; required ones come first', () => {
  expect(pages['thing.md']!.split('\n').filter((line) => line.startsWith('| `'))).toEqual([
    '| `spec` | [ThingSpec](../thing.md#thingspec) | *required* | Its specification. |',
    '| `color` | [Color](manifest-enums.md#color) | `Color.RED` | Its colour\\|shade. |',
    '| `label` | string | that of the chart | Its label. |',
    '| `volumes` | list of [Volume](https://kubernetes.example/volume) | none |  |',
  ]);
});

test('the index has the constructs before other types', () => {
  const [constructs, others] = pages['README.md']!.split('## Other types');
  expect(constructs).toContain('| [Thing](thing.md) | A thing. | [ThingProps](thing.md#thingprops) |');
  expect(others).toContain('| [Enums of manifests](manifest-enums.md) |  | [Color](manifest-enums.md#color) |');
});

test('a struct of manifests that no kind has is reported, as it would be on no page', () => {
  const lost = { name: 'Lost', kind: 'interface', datatype: true, ...at('src/api/lost.ts') };
  const user = { name: 'User', kind: 'interface', datatype: true, ...at('src/props/user.ts'), properties: [{ name: 'lost', type: own('Lost') }] };
  expect(() => pagesOf([...TYPES, lost, user])).toThrow('p.Lost is on no page of the reference');
});
