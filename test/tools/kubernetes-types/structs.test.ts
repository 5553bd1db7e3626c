import type { OpenApi } from '../../../tools/kubernetes-types/openapi';
import { structsFile, typeName } from '../../../tools/kubernetes-types/structs';

const CORE = 'io.k8s.api.core.v1';
const ref = (name: string) => ({ $ref: `#/definitions/${name}` });

/** The API server's answer in small. */
const API: OpenApi = {
  info: { version: 'v1.34.1' },
  definitions: {
    [`${CORE}.Probe`]: { properties: { httpGet: ref(`${CORE}.HTTPGetAction`), periodSeconds: { type: 'integer', format: 'int32' } } },
    [`${CORE}.HTTPGetAction`]: { required: ['port'], properties: { port: ref('io.k8s.apimachinery.pkg.util.intstr.IntOrString'), scheme: { type: 'string', enum: ['HTTP', 'HTTPS'] } } },
    [`${CORE}.PodSpec`]: { required: ['containers'], properties: { containers: { type: 'array', items: { type: 'string' } } } },
    [`${CORE}.Pod`]: {
      required: ['policy'],
      properties: {
        probes: { 'type': 'array', 'items': ref(`${CORE}.Probe`), 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['periodSeconds'] },
        limits: { type: 'object', additionalProperties: ref('io.k8s.apimachinery.pkg.api.resource.Quantity') },
        groups: { type: 'array', items: { type: 'integer', format: 'int64' } },
        policy: { type: 'string', enum: ['Always', 'Never'] },
        since: ref('io.k8s.apimachinery.pkg.apis.meta.v1.Time'),
        signal: { type: 'string', enum: Array.from({ length: 60 }, (_, index) => `SIG${index}`) },
      },
    },
    [`${CORE}.Unrelated`]: { properties: {} },
    'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: 'string', format: 'int-or-string' },
    'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: 'string' },
    'io.k8s.apimachinery.pkg.apis.meta.v1.Time': { type: 'string', format: 'date-time' },
  },
};

const lines = (roots: string[]) => structsFile(API, roots).split('\n').map((line) => line.trim());

/** The lines of a field's documentation, and its declaration. */
function field(name: string): { tags: string[]; declaration: string } {
  const all = lines([`${CORE}.Pod`]);
  const at = all.findIndex((line) => new RegExp(`^readonly ${name}[?:]`).test(line));
  const tags: string[] = [];
  for (let before = at - 1; /^\/?\*/.test(all[before]!); before--) tags.unshift(all[before]!.replace(/^\/?\*+\/?|\*\/$/g, '').trim());
  return { tags: tags.filter(Boolean), declaration: all[at]! };
}

test('what the roots are made of comes along, nothing else', () => {
  expect(lines([`${CORE}.Pod`]).filter((line) => line.startsWith('export interface'))).toEqual(['export interface HttpGetAction {', 'export interface Pod {', 'export interface Probe {']);
  expect(() => structsFile(API, [`${CORE}.Node`])).toThrow('the API server does not know io.k8s.api.core.v1.Node');
});

test.each<[name: string, declaration: string, tags: string[]]>([
  ['probes', 'readonly probes?: Probe[];', ['@listMapKeys ["periodSeconds"]']],
  ['limits', 'readonly limits?: { [key: string]: string };', ['@quantity']],
  ['port', 'readonly port: string;', ['@intOrString']],
  ['groups', 'readonly groups?: number[];', ['@format int64']], // a group's id does not fit into 32 bits
  ['since', 'readonly since?: string;', ['@format date-time']],
  ['policy', 'readonly policy: string;', ['@oneOf ["Always","Never"]']],
  ['scheme', 'readonly scheme?: string;', ['@oneOf ["","HTTP","HTTPS"]']], // Go writes an empty word for none
  ['signal', 'readonly signal?: string;', []], // long lists would be in the CRD many times
])('%s: type and tags', (name, declaration, tags) => {
  expect(field(name)).toEqual({ declaration, tags });
});

test('a pod template needs no containers: Spark adds its own', () => {
  expect(lines([`${CORE}.PodSpec`])).toContain('readonly containers?: string[];');
});

test('acronyms are written as jsii wants them', () => {
  expect(['HTTPGetAction', 'PodDNSConfig', 'IngressTLS', 'NFSVolumeSource', 'Volume', 'CSIVolumeSource'].map((kind) => typeName(`${CORE}.${kind}`)))
    .toEqual(['HttpGetAction', 'PodDnsConfig', 'IngressTls', 'NfsVolumeSource', 'Volume', 'CsiVolumeSource']);
});
