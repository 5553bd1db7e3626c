/* The CRDs of ScheduledSparkApplication and SparkConnect on a real API server: what it takes, what it keeps of it, and what it refuses, as synth does. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Testing } from 'cdk8s';
import { parse } from 'yaml';
import { ApiServer, type Answer } from '../helpers/api-server';
import { problemsOf } from '../constructs/synthesis';
import { define, definitionIn, ownGroup, undefine } from './helpers/definition';
import { ApiScheduledSparkApplication, ApiSparkConnect } from '../../src';
import type { KindDefinition } from '../../src/api/kind';
import { SCHEDULED_SPARK_APPLICATION } from '../../src/api/scheduled-spark-application';
import { SPARK_CONNECT } from '../../src/api/spark-connect';

const group = ownGroup('kinds');
const definitions = [SCHEDULED_SPARK_APPLICATION, SPARK_CONNECT].map((kind) => definitionIn(group, kind));
let api: ApiServer;

beforeAll(async () => {
  api = new ApiServer();
  for (const definition of definitions) await define(api, definition);
});
afterAll(async () => {
  for (const definition of definitions) await undefine(api, definition);
  api.close();
});

const pathOf = ({ version, plural }: KindDefinition) => `/apis/${group}/${version}/namespaces/default/${plural}`;
const inGroup = (manifest: any) => ({ ...manifest, apiVersion: manifest.apiVersion.replace(/^[^/]+/, group) });

const fixtures = [['scheduled', SCHEDULED_SPARK_APPLICATION], ['connect', SPARK_CONNECT]].flatMap(([folder, kind]) => {
  const path = join(__dirname, '../fixtures', folder as string);
  return readdirSync(path).map((file) => ({ file: `${folder as string}/${file}`, kind: kind as KindDefinition, manifest: parse(readFileSync(join(path, file), 'utf8')) }));
});

/** The API server drops `null` where a field cannot be null. */
const withoutNulls = (value: unknown) => JSON.parse(JSON.stringify(value), (_, inner) => (inner === null ? undefined : inner));

test.each(fixtures)('$file is kept as it is, with its status', async ({ kind, manifest }) => {
  const { status, ...object } = inGroup(manifest);
  const created = await api.must('POST', `${pathOf(kind)}?fieldValidation=Strict`, object);
  const { body: { status: kept }, code } = await api.call('PUT', `${pathOf(kind)}/${manifest.metadata.name}/status?fieldValidation=Strict`, { ...created, status });

  expect(created.spec).toEqual(manifest.spec);
  expect(code).toBe(200);
  expect(withoutNulls(kept ?? {})).toEqual(withoutNulls(status ?? {}));
});

const TEMPLATE = { type: 'Python', sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {} };
const SCHEDULED = { schedule: '@daily', template: TEMPLATE };
const CONNECT = { sparkVersion: '4.1.1', image: 'i', server: {}, executor: {} };

function create(kind: KindDefinition, spec: object, name = 'case'): Promise<Answer> {
  return api.call('POST', `${pathOf(kind)}?dryRun=All&fieldValidation=Strict`, { apiVersion: `${group}/${kind.version}`, kind: kind.kind, metadata: { name, namespace: 'default' }, spec });
}

function refusedBySynth(kind: KindDefinition, spec: any, name = 'case'): string | undefined {
  const Resource = kind === SPARK_CONNECT ? ApiSparkConnect : ApiScheduledSparkApplication;
  return problemsOf(new Resource(Testing.chart(), 'a', { metadata: { name }, spec })).join('\n') || undefined;
}

const scheduled = (fields: object) => [SCHEDULED_SPARK_APPLICATION, { ...SCHEDULED, ...fields }] as const;
const template = (fields: object) => scheduled({ template: { ...TEMPLATE, ...fields } });
const connect = (fields: object) => [SPARK_CONNECT, { ...CONNECT, ...fields }] as const;

test.each<[field: string, name: string, of: readonly [KindDefinition, object]]>([
  ['spec.schedule', 'no schedule', scheduled({ schedule: undefined })],
  ['spec.schedule', 'an hour that there is not', scheduled({ schedule: '0 25 * * *' })],
  ['spec.schedule', 'Sunday as 7', scheduled({ schedule: '0 0 * * 7' })],
  ['spec.schedule', 'six fields', scheduled({ schedule: '0 0 3 * * *' })],
  ['spec.schedule', 'an unknown descriptor', scheduled({ schedule: '@dayly' })],
  ['spec.schedule', 'a duration without a unit', scheduled({ schedule: '@every 90' })],
  ['spec.schedule', 'a schedule that is too long', scheduled({ schedule: `${'1,'.repeat(600)}1 * * * *` })],
  ['spec.timeZone', 'a zone with a blank', scheduled({ timeZone: 'Europe/ Berlin' })],
  ['spec.concurrencyPolicy', 'an unknown policy', scheduled({ concurrencyPolicy: 'Never' })],
  ['spec.catchUpPolicy', 'another unknown policy', scheduled({ catchUpPolicy: 'Some' })],
  ['spec.successfulRunHistoryLimit', 'a negative history', scheduled({ successfulRunHistoryLimit: -1 })],
  ['spec.failedRunHistoryLimit', 'an endless history', scheduled({ failedRunHistoryLimit: 1001 })],
  ['spec.startingDeadlineSeconds', 'no time to begin', scheduled({ startingDeadlineSeconds: 0 })],
  ['spec.startDeadlineSeconds', 'a misspelt field', scheduled({ startDeadlineSeconds: 1 })],
  ['spec.template', 'no template', scheduled({ template: undefined })],
  ['spec.template.driver.memory', 'half a size of the template', template({ driver: { memory: '1.5g' } })],
  ['spec.template', 'a mount without a volume in the template', template({ driver: { volumeMounts: [{ name: 'a', mountPath: '/a' }] } })],
  ['spec.template.sparkConf', 'a property of the template that decides who it is', template({ sparkConf: { 'spark.master': 'local' } })],
  ['spec.template.dynamicAllocation', 'bounds of the template that contradict each other', template({ dynamicAllocation: { enabled: true, minExecutors: 2, maxExecutors: 1 } })],
  ['spec.server', 'no server', connect({ server: undefined })],
  ['spec.server.cores', 'a server without cores', connect({ server: { cores: 0 } })],
  ['spec.executor.memory', 'half a size', connect({ executor: { memory: '1.5g' } })],
  ['spec.executor.instances', 'fewer executors than none', connect({ executor: { instances: -1 } })],
  ['spec.dynamicAllocation', 'bounds that contradict each other', connect({ dynamicAllocation: { enabled: true, minExecutors: 2, maxExecutors: 1 } })],
  ['spec.sparkConf', 'a property that decides who it is', connect({ sparkConf: { 'spark.master': 'local' } })],
  ['spec.server.service.metadata.name', 'a name that a Service cannot have', connect({ server: { service: { metadata: { name: 'a.b' } } } })],
  ['spec.server.service.spec.type', 'a type of Service that there is not', connect({ server: { service: { spec: { type: 'Ingress' } } } })],
  ['spec.restartPolicy.type', 'an unknown restart policy', connect({ restartPolicy: { type: 'OnFailure' } })],
  ['spec.restartPolicy.backoff.maxInterval', 'no wait', connect({ restartPolicy: { backoff: { type: 'Exponential', maxInterval: 0 } } })],
  ['spec.idleTimeToLiveSeconds', 'no time to be idle', connect({ idleTimeToLiveSeconds: 0 })],
  ['spec.sparkUIOptions.servicePort', 'a port that there is not', connect({ sparkUIOptions: { servicePort: 0 } })],
])('%s: %s is refused by both', async (field, _, [kind, spec]) => {
  const { code, body } = await create(kind, spec);

  expect([400, 422]).toContain(code);
  expect(body.message).toContain(field);
  expect(refusedBySynth(kind, JSON.parse(JSON.stringify(spec)))).toContain(field);
});

test('the schedules that kubeflow\'s operator reads are taken', async () => {
  const recorded: { schedule: string; timeZone: string; runs: unknown }[] = JSON.parse(readFileSync(join(__dirname, '../schedule/robfig-cron.json'), 'utf8'));
  const readable = recorded.filter(({ runs }) => runs);
  const answers = await Promise.all(readable.map(async ({ schedule, timeZone }) => {
    const { body } = await create(SCHEDULED_SPARK_APPLICATION, { ...SCHEDULED, schedule, timeZone });
    return { schedule, timeZone, message: body.message };
  }));

  expect(answers.filter(({ message }) => message !== undefined)).toEqual([]);
  expect(readable.length).toBeGreaterThan(60);
});

test.each(['1notebooks', 'team.notebooks'])('a server of the name %s cannot have a Service that is called after it', async (name) => {
  const named = { ...CONNECT, server: { service: { metadata: { name: 'notebooks' } } } };
  const said = 'metadata.name must begin with a letter and have no dots';
  expect((await create(SPARK_CONNECT, CONNECT, name)).body.message).toContain(said);
  expect(refusedBySynth(SPARK_CONNECT, CONNECT, name)).toContain(said.replace('must', `= "${name}" must`));
  expect(await create(SPARK_CONNECT, named, name)).toMatchObject({ code: 201 });
  expect(refusedBySynth(SPARK_CONNECT, named, name)).toBeUndefined();
});

test('names leave room for what is called after them', async () => {
  for (const [kind, spec, length] of [[SCHEDULED_SPARK_APPLICATION, SCHEDULED, 63], [SPARK_CONNECT, CONNECT, 56]] as const) {
    expect((await create(kind, spec, 'n'.repeat(length))).code).toBe(201);
    expect((await create(kind, spec, 'n'.repeat(length + 1))).body.message).toContain(`must have at most ${length} characters, ${kind.maxNameReason}`);
  }
});
