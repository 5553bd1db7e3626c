/* Applications that were stored before the CRD had today's rules stay manageable: their status can be written to the end, and they can be labelled and deleted. */
import { ApiServer, type Answer } from '../helpers/api-server';
import { define, definitionIn, ownGroup, undefine } from './helpers/definition';
import { ApplicationState } from '../../src/api/states';
import { kubectl, tryKubectl } from '../helpers/kubectl';
import { MINIMAL } from '../rules/case';
import { CASES } from '../rules/cases';

const group = ownGroup('upgrade');
const definition = definitionIn(group);
const path = `/apis/${group}/v1beta2/namespaces/default/sparkapplications`;
const MERGE = 'application/merge-patch+json';
let api: ApiServer;

/** Keywords that restrict the values of a field beyond its type. */
const RULES = ['x-kubernetes-validations', 'pattern', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'not', 'format'];

/** A schema as an operator without these rules has it: fields, types, what is required. Quantities are as generators of CRDs write them. */
function lax(schema: any): any {
  if (schema.not) return { 'x-kubernetes-int-or-string': true };
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !RULES.includes(keyword)));
  return {
    ...kept,
    ...(schema.properties && { properties: Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, lax(inner)])) }),
    ...(schema.items && { items: lax(schema.items) }),
    ...(schema.additionalProperties && { additionalProperties: lax(schema.additionalProperties) }),
  };
}

function withoutRules(strict: any): any {
  const copy = structuredClone(strict);
  const [version] = copy.spec.versions;
  version.schema.openAPIV3Schema = lax(version.schema.openAPIV3Schema);
  return copy;
}

const object = (name: string, spec: object) => ({ apiVersion: `${group}/v1beta2`, kind: 'SparkApplication', metadata: { name, namespace: 'default' }, spec });

/** An application that was stored before today's CRD, which refuses it. */
interface Old {
  readonly name: string;
  readonly about: string;
  readonly spec: any;
}

const LONG_NAME: Old = { name: 'a'.repeat(70), about: 'a name of 70 characters', spec: MINIMAL };

/** Cases for each kind of rule: in CEL about a field, an object, a list, a map, an entry of a list and the whole; all keywords; in structs of Kubernetes. */
const WRONG = [
  'driver: half a size', 'more at least than at most', 'a port of the driver twice', 'the property spark.master', 'driver: a port in capitals',
  'driver: a mount without a volume', 'a node selector for all pods and for the driver', 'driver: CPU with a word', 'driver: memory that is no quantity', 'an unknown type',
  'driver: an unknown effect', 'driver: no cores', 'the UI on a port that there is not', 'an empty main file', 'a volume whose name is too long', 'more volumes than there may be', 'a time that is none',
];
const OLD: readonly Old[] = [LONG_NAME, ...WRONG.map((about, index): Old => ({ name: `old-${index}`, about, spec: CASES.find(({ name }) => name === about)!.spec }))];

/** Calls a function for all old applications. @returns the answers, with their cases */
async function forAll(call: (old: Old) => Promise<Answer>): Promise<{ about: string; code: number; message: string | undefined }[]> {
  return Promise.all(OLD.map(async (old) => {
    const { code, body } = await call(old);
    return { about: old.about, code, message: code < 300 ? undefined : body.message };
  }));
}
const allDone = () => OLD.map(({ about }) => ({ about, code: 200, message: undefined }));

/** Changing another field asks these rules about the specification as a whole. */
const OF_WHOLE_SPEC = /mount without a volume|mount of another name|node selector for all pods and for/;

beforeAll(async () => {
  api = new ApiServer();
  await define(api, withoutRules(definition));
  for (const { name, spec } of OLD) await api.must('POST', `${path}?fieldValidation=Strict`, object(name, spec));
});
afterAll(async () => {
  await undefine(api, definition);
  api.close();
});

test('known failure 15: a client-side kubectl apply brings the new CRD, and a second one finds nothing to do', async () => {
  const first = await tryKubectl(['apply', '-f', '-'], JSON.stringify(definition));
  const second = await kubectl(['apply', '-f', '-'], JSON.stringify(definition));

  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('configured') });
  expect(second).toContain('unchanged');
  const served = await api.must('GET', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${definition.metadata.name}`);
  expect(served.spec.versions[0].schema.openAPIV3Schema).toEqual(definition.spec.versions[0].schema.openAPIV3Schema);
});

test('the new rules are in force, for all kinds of mistakes that were stored', async () => {
  await inForce();
  const answers = await forAll(({ name, spec }) => api.call('POST', `${path}?dryRun=All&fieldValidation=Strict`, object(`${name}-b`, spec)));

  expect(answers.filter(({ code }) => code !== 422)).toEqual([]);
});

/** The API server takes a moment to use the new schema, and there is no event for it. */
async function inForce(): Promise<void> {
  const deadline = Date.now() + 90_000;
  while ((await api.call('POST', `${path}?dryRun=All`, object(`${LONG_NAME.name}-b`, MINIMAL))).code === 201) {
    if (Date.now() > deadline) throw new Error('the rules of the new CRD are not in force after 90 s');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Kubernetes 1.33 and later let an object that was stored before be, also when its status is written. */
async function hasRatchetingOfStatus(): Promise<boolean> {
  const { major, minor } = await api.must('GET', '/version');
  return Number(major) > 1 || parseInt(minor) >= 33;
}

const STATES = [
  ApplicationState.NEW, ApplicationState.SUBMITTED, ApplicationState.RUNNING, ApplicationState.FAILING, ApplicationState.PENDING_RERUN,
  ApplicationState.SUCCEEDING, ApplicationState.COMPLETED,
];

test.each(STATES)('the status of all can become "%s"', async (state) => {
  const answers = await forAll(async ({ name }) => {
    const current = await api.must('GET', `${path}/${name}`);
    const status = {
      submissionID: '6b7ff1a4-4f6c-4a3a-9d5c-3a7a1d1f4b5e', submissionAttempts: 1, executionAttempts: 1,
      lastSubmissionAttemptTime: '2026-03-01T10:00:00Z', terminationTime: null,
      driverInfo: { podName: `${name}-driver` }, applicationState: { state, errorMessage: 'none' }, executorState: { 'exec-1': 'RUNNING' },
    };
    return api.call('PUT', `${path}/${name}/status`, { ...current, status });
  });
  if (await hasRatchetingOfStatus()) return expect(answers).toEqual(allDone());
  // Before, a rule in CEL is asked about the whole object whenever its status is written; the rest of a schema is not.
  expect(answers.filter(({ code }) => code === 200)).not.toEqual([]);
  expect(answers.filter(({ code, message }) => code !== 200 && !/must|may be|not allowed/.test(message!))).toEqual([]);
});

test('labels and finalizers of all can be changed', async () => {
  const change = (metadata: object) => forAll(({ name }) => api.call('PATCH', `${path}/${name}`, { metadata }, MERGE));

  expect(await change({ labels: { team: 'a' }, finalizers: ['example.org/f'] })).toEqual(allDone());
  expect(await change({ labels: { team: null }, finalizers: null })).toEqual(allDone());
});

test('what is right in their specification can be changed, unless a rule is about the specification as a whole', async () => {
  const answers = await forAll(({ name }) => api.call('PATCH', `${path}/${name}`, { spec: { suspend: true, timeToLiveSeconds: 60 } }, MERGE));

  for (const { about, code, message } of answers) {
    expect({ about, code, message }).toEqual({
      about, ...(OF_WHOLE_SPEC.test(about) ? { code: 422, message: expect.stringMatching(/nodeSelector must be set either here or|volumeMounts must name volumes/) } : { code: 200, message: undefined }),
    });
  }
});

test('all can be deleted', async () => {
  expect(await forAll(({ name }) => api.call('DELETE', `${path}/${name}`))).toEqual(allDone());
  expect((await api.must('GET', path)).items).toEqual([]);
});
