/* The API server and synth reject and accept the same: both get the same objects. */
import fc from 'fast-check';
import { ApiServer, type Answer } from '../helpers/api-server';
import { define, definitionIn, ownGroup, undefine } from './helpers/definition';
import { SPARK_APPLICATION } from '../../src/api/spark-application';
import { podTemplateSchema, schemaOfKind } from '../../src/rules/schemas';
import { metadataViolations, type Metadata } from '../../src/rules/metadata';
import { podTemplateViolations } from '../../src/rules/pod-template';
import type { Schema } from '../../src/rules/schema';
import { violations } from '../../src/rules/validate';
import type { Problem } from '../../src/model/problem';
import { applicationFixtures } from '../helpers/application-fixtures';
import { MINIMAL } from '../rules/case';
import { CASES } from '../rules/cases';
import { mutated } from '../rules/mutations';

const group = ownGroup('validation');
const definition = definitionIn(group);
const schema = schemaOfKind(SPARK_APPLICATION);
const specSchema = schema.properties!.spec!;
const fixtures = applicationFixtures();
let api: ApiServer;

beforeAll(async () => {
  api = new ApiServer();
  await define(api, definition);
});
afterAll(async () => {
  await undefine(api, definition);
  api.close();
});

function create(spec: unknown, metadata: { name: string } & Metadata = { name: 'case' }): Promise<Answer> {
  const object = { apiVersion: `${group}/v1beta2`, kind: 'SparkApplication', metadata: { namespace: 'default', ...metadata }, spec };
  return api.call('POST', `/apis/${group}/v1beta2/namespaces/default/sparkapplications?dryRun=All&fieldValidation=Strict`, object);
}

const REFUSALS = [400, 422];
const isRefused = ({ code, body }: Answer): boolean => {
  if (code !== 201 && !REFUSALS.includes(code)) throw new Error(`the API server answers ${code} ${body.message}`);
  return code !== 201;
};

/** The paths of the fields that the API server names: in its causes, or for some rules in its message. */
function fieldsIn({ body }: Answer): string[] {
  const causes: string[] = (body.details?.causes ?? []).map(({ field }: { field: string }) => field).filter((field: string) => field !== '<nil>');
  const inMessage = [...String(body.message).matchAll(/unknown field "([^"]+)"|"([^"]+)" must not validate the schema/g)].map(([, unknown, not]) => (unknown ?? not)!);
  return [...new Set([...causes, ...inMessage])];
}

/** The API server writes `spec.sparkConf.a.b` for `spec.sparkConf[a.b]`. */
const asServerWrites = (path: string) => path.replace(/\[(?!\d+\])([^\]]*)\]/g, '.$1');

function messagesIn({ properties, items, additionalProperties, 'x-kubernetes-validations': rules = [] }: Schema): string[] {
  return [...rules.map(({ message }) => message), ...[...Object.values(properties ?? {}), items, additionalProperties].flatMap((inner) => (inner ? messagesIn(inner) : []))];
}
const OUR_MESSAGES = new Set(messagesIn(schema));

test.each(CASES)('$name', async ({ spec, refused, onlyAtSynth }) => {
  const answer = await create(spec);
  const found = violations(specSchema, spec, 'spec');

  expect(found.map(({ path }) => path)).toEqual(refused === undefined ? [] : [refused]);
  if (refused === undefined || onlyAtSynth) {
    expect({ code: answer.code, message: answer.body.message }).toEqual({ code: 201, message: undefined });
    return;
  }
  expect(REFUSALS).toContain(answer.code);
  // For an object in place of a text the server names the fields of the object.
  expect(fieldsIn(answer).map((field) => (field.startsWith(`${asServerWrites(refused)}.`) ? asServerWrites(refused) : field))).toEqual([asServerWrites(refused)]);
  for (const { reason } of found) if (OUR_MESSAGES.has(reason)) expect(answer.body.message).toContain(reason);
});

test.each(fixtures)('$file is accepted', async ({ manifest }) => {
  const answer = await create(manifest.spec, manifest.metadata);
  expect({ code: answer.code, message: answer.body.message }).toEqual({ code: 201, message: undefined });
});

/** Problems that a CRD cannot check: numbers of 32 bits. */
const onlyAtSynth = ({ reason }: Problem) => /^must be at most 2147483647$/.test(reason);

test('manifests with a mistake in any place', async () => {
  await fc.assert(fc.asyncProperty(fc.oneof(...fixtures.map(({ manifest }) => mutated(manifest.spec))), async (spec) => {
    const found = violations(specSchema, spec, 'spec');
    if (found.some(onlyAtSynth)) return;
    const answer = await create(spec);
    expect({ found, answer: answer.body.message, refused: found.length > 0 }).toEqual({ found, answer: answer.body.message, refused: isRefused(answer) });
  }), { numRuns: 300 });
});

test.each<[name: string, metadata: { name: string } & Metadata]>([
  ['the longest name', { name: 'a'.repeat(63) }],
  ['a name that is too long for a label', { name: 'a'.repeat(64) }],
  ['a name in capitals', { name: 'Pi' }],
  ['a name with dots and digits', { name: '0-etl.daily' }],
  ['a name that ends with a dash', { name: 'etl-' }],
  ['labels', { name: 'a', labels: { 'team': 'a', 'example.org/Team_1': 'A.b-c', 'empty': '' } }],
  ['a label with a blank', { name: 'a', labels: { team: 'a b' } }],
  ['a label that is too long', { name: 'a', labels: { team: 'a'.repeat(64) } }],
  ['a label without a name', { name: 'a', labels: { 'example.org/': 'a' } }],
  ['a label with a prefix in capitals', { name: 'a', labels: { 'Example.org/a': 'a' } }],
  ['annotations', { name: 'a', annotations: { 'note': 'any text, €', 'Example.org/note': '' } }],
  ['an annotation with a blank', { name: 'a', annotations: { 'my note': 'a' } }],
])('metadata: %s', async (_, { name, ...metadata }) => {
  const answer = await create(MINIMAL, { name, ...metadata });
  const found = metadataViolations(name, metadata);

  expect({ message: answer.body.message, refused: isRefused(answer) }).toEqual({ message: answer.body.message, refused: found.length > 0 });
  if (name.length > 63) expect(answer.body.message).toContain('metadata.name must have at most 63 characters, as it becomes a label of the pods');
});

describe('pod templates, which the CRD leaves open', () => {
  const { volumes, driver, executor } = fixtures.find(({ file }) => file === 'training.yaml')!.manifest.spec;

  /** A template that has much of what a template can have. */
  function templateOf(pod: any): any {
    const { env, envFrom, volumeMounts, securityContext, sidecars, initContainers, affinity, tolerations, nodeSelector, hostAliases, dnsConfig, podSecurityContext } = pod;
    const container = {
      name: 'spark', image: 'i', env, envFrom, volumeMounts, securityContext, ports: [{ containerPort: 80 }, { name: 'x', containerPort: 81, protocol: 'UDP' }],
      livenessProbe: { httpGet: { port: 'x', path: '/', httpHeaders: [{ name: 'a', value: 'b' }] }, periodSeconds: 3 }, lifecycle: { preStop: { exec: { command: ['true'] } } },
      resources: { limits: { cpu: 1, memory: '1Gi' }, requests: { cpu: 0.5 } },
    };
    return JSON.parse(JSON.stringify({
      metadata: { labels: { a: 'b' }, creationTimestamp: null },
      spec: {
        containers: [container, ...sidecars], initContainers, volumes, affinity, tolerations, nodeSelector, hostAliases, dnsConfig, securityContext: podSecurityContext,
        imagePullSecrets: [{ name: 'a' }], terminationGracePeriodSeconds: 30, readinessGates: [{ conditionType: 'example.org/ready' }],
        topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: { a: 'b' } } }],
      },
    }));
  }

  const createTemplate = (template: unknown) => api.call('POST', '/api/v1/namespaces/default/podtemplates?dryRun=All&fieldValidation=Strict', {
    apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 'case', namespace: 'default' }, template,
  });

  test.each([['driver', driver], ['executor', executor]])('that of a %s is right in both eyes', async (_, pod) => {
    const answer = await createTemplate(templateOf(pod));
    expect({ code: answer.code, message: answer.body.message }).toEqual({ code: 201, message: undefined });
    expect(podTemplateViolations(podTemplateSchema(), templateOf(pod), 'template')).toEqual([]);
  });

  /** Go reads null in a list as the empty value, which no user means. */
  const inList = ({ path, value }: Problem) => value === null && path.endsWith(']');

  test('with a mistake in any place: what Kubernetes cannot read is refused, and nothing that it takes', async () => {
    await fc.assert(fc.asyncProperty(fc.oneof(mutated(templateOf(driver)), mutated(templateOf(executor))), async (template) => {
      const found = podTemplateViolations(podTemplateSchema(), template, 'template').filter((violation) => !inList(violation));
      const { code, body } = await createTemplate(template);
      // 422 is about what fits together, which is left to Kubernetes.
      if (code === 400) expect({ message: body.message, found: found.length }).not.toEqual({ message: body.message, found: 0 });
      else if (code === 201) expect(found).toEqual([]);
      else expect(code).toBe(422);
    }), { numRuns: 300 });
  });
});
