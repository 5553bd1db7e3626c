/* The admission policies of SparkOperator on a real API server: no operator runs, no webhook is there. */
import { ApiServer, type Answer } from '../helpers/api-server';
import { SparkJobNamespace, type SparkOperator } from '../../src';
import { checkTypes } from './helpers/type-checks';
import { application, APPLICATION_CASES, connect, LIMIT_RULES, LIMITS, ODD_REFUSALS, ODD_TEMPLATES, scheduled } from '../helpers/admission-cases';
import { install, type Installation } from '../helpers/installation';
import { apply, kubectl } from '../helpers/kubectl';
import { RULES } from '../operator/admission/rules';
import { objectOf } from '../operator/admission/validate/questions';

const LIMITED = 'policy-limited';
const OTHERS = 'policy-others';
let api: ApiServer;
let installation: Installation;

const jobsOf = (operator: SparkOperator) => new SparkJobNamespace(operator.node.scope!, 'limited', { name: LIMITED, operator, isolated: false, limits: LIMITS });

beforeAll(async () => {
  api = new ApiServer();
  installation = await install('policy', { defaultsConfigMapName: 'spark-defaults' }, jobsOf);
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: OTHERS } });
  // Policies, bindings and parameters take a moment until they count.
  for (const spec of [{ sparkConf: { 'spark.kubernetes.namespace': 'other' } }, { driver: { serviceAccount: 'admin' } }]) {
    while ((await created(application('probe', LIMITED, spec))).code === 201) await new Promise((resolve) => setTimeout(resolve, 100));
  }
});
afterAll(async () => {
  api.close();
  await installation?.remove();
  await kubectl(['delete', 'namespace', LIMITED, OTHERS, '--ignore-not-found', '--wait=false']);
});

const PLURALS: Record<string, string> = { SparkApplication: 'sparkapplications', ScheduledSparkApplication: 'scheduledsparkapplications', SparkConnect: 'sparkconnects' };
const pathOf = ({ apiVersion, kind, metadata }: any) => `/apis/${apiVersion}/namespaces/${metadata.namespace}/${PLURALS[kind]}`;

/** Nothing is kept. */
function created(object: any): Promise<Answer> {
  return api.call('POST', `${pathOf(object)}?dryRun=All&fieldValidation=Strict`, object);
}

/** Returns the message of our policies, or the code and message of any other answer. */
function refusal({ code, body }: Answer): string {
  const message = /^.* is forbidden: ValidatingAdmissionPolicy 'spark-[^']*' with binding 'spark-[^']*' denied request: ([^]*)$|ValidatingAdmissionPolicy 'spark-[^']*' with binding 'spark-[^']*' denied request: ([^]*)$/.exec(body.message ?? '');
  return message ? (message[1] ?? message[2])! : `${code} ${body.message ?? 'taken'}`;
}

test.each(APPLICATION_CASES)('an application: $name', async ({ spec, refused, message }) => {
  const answer = await created(application('case', LIMITED, spec));
  if (refused === undefined) {
    expect(refusal(answer)).toBe('201 taken');
  } else {
    expect(answer.code).toBe(422);
    expect(refusal(answer).startsWith(refused)).toBe(true);
    // What to write instead comes last.
    expect(refusal(answer)).toMatch(/; (remove it|write (one of those|the template))/);
    if (message !== undefined) expect(refusal(answer)).toBe(message.replace('{namespace}', LIMITED));
  }
});

test.each(APPLICATION_CASES.filter(({ refused }) => refused !== undefined))('a schedule: $name', async ({ spec, refused }) => {
  expect(refusal(await created(scheduled('case', LIMITED, spec)))).toContain(refused!.replace('spec.', 'spec.template.'));
});

test('a schedule that is fine', async () => {
  expect(refusal(await created(scheduled('case', LIMITED)))).toBe('201 taken');
});

test.each<[string, object, string]>([
  ['fine', { server: { template: { spec: { serviceAccountName: 'spark' } } }, sparkConf: { 'spark.kubernetes.namespace': LIMITED } }, '201 taken'],
  ['a namespace in sparkConf', { sparkConf: { 'spark.kubernetes.namespace': 'other' } }, 'spec.sparkConf[spark.kubernetes.namespace] = "other" is not the namespace'],
  ['a namespace of the server', { server: { template: { metadata: { namespace: 'other' } } } }, 'spec.server.template.metadata.namespace = "other" is not the namespace'],
  ['a service account of the server', { server: { template: { spec: { serviceAccountName: 'admin' } } } }, 'spec.server.template.spec.serviceAccountName = "admin" is not among'],
  ['a service account of executors', { executor: { template: { spec: { serviceAccountName: 'admin' } } } }, 'spec.executor.template.spec.serviceAccountName = "admin" is not among'],
  ['an image', { image: 'evil' }, 'spec.image = "evil" is not among'],
  ['an image of the server', { server: { template: { spec: { containers: [{ name: 'a', image: 'evil' }] } } } }, 'spec.server.template.spec.containers[a].image = "evil" is not among'],
])('a Spark Connect server: %s', async (_, spec, expected) => {
  expect(refusal(await created(connect('case', LIMITED, spec)))).toContain(expected);
});

test('templates of any shape are no reason for an error', async () => {
  const pods = (template: unknown) => ({ driver: { template }, executor: { template } });
  const answers = await Promise.all(ODD_TEMPLATES.map((template) => created(application('odd', LIMITED, pods(template)))));
  expect(answers.map(refusal)).toEqual(ODD_TEMPLATES.map(() => '201 taken'));

  const refused = await Promise.all(ODD_REFUSALS.map((template) => created(application('odd', LIMITED, pods(template)))));
  // For values that cannot be printed, the message names no field either, but the remedy.
  expect(refused.map(refusal)).toEqual(ODD_REFUSALS.map(() => expect.stringMatching(/^[^\n]*; (remove it|write one of those)/)));
});

test.each(LIMIT_RULES)('as documented: $rule', async ({ spec, message }) => {
  expect(refusal(await created(application('case', LIMITED, spec)))).toBe(message.replace('namespace jobs', `namespace ${LIMITED}`));
});

test.each(RULES.filter(({ layer }) => layer === 'policy'))('as documented: $kind, $rule', async ({ kind, change, message }) => {
  const { jobs } = installation;
  const { metadata: { name }, spec } = objectOf(kind, change);
  const object = { apiVersion: `sparkoperator.k8s.io/${kind === 'SparkConnect' ? 'v1alpha1' : 'v1beta2'}`, kind, metadata: { name, namespace: jobs }, spec: { mode: 'cluster', ...spec } };
  if (kind !== 'SparkApplication') delete object.spec.mode;
  expect(refusal(await created(object))).toBe(message.replace('application, jobs', `application, ${jobs}`));
});

test('a namespace without limits allows all accounts and images, but no other namespace; other namespaces are none of our business', async () => {
  const { jobs } = installation;
  const foreign = { driver: { serviceAccount: 'admin' }, image: 'evil' };
  expect(refusal(await created(application('case', jobs, foreign)))).toBe('201 taken');
  expect(refusal(await created(application('case', jobs, { sparkConf: { 'spark.kubernetes.namespace': 'other' } })))).toContain(`is not the namespace of the application, ${jobs};`);
  expect(refusal(await created(application('case', OTHERS, { ...foreign, sparkConf: { 'spark.kubernetes.namespace': 'x' } })))).toBe('201 taken');
});

const MERGE = 'application/merge-patch+json';

/** Changes what the namespace allows, until the end of the test. */
async function whileAllowed(annotation: string, globs: string, whatFor: () => Promise<void>): Promise<void> {
  const { [annotation]: before } = (await api.must('GET', `/api/v1/namespaces/${LIMITED}`)).metadata.annotations;
  const annotate = (value: string) => api.must('PATCH', `/api/v1/namespaces/${LIMITED}`, { metadata: { annotations: { [annotation]: value } } }, MERGE);
  const seen = async () => refusal(await created(application('probe', LIMITED, annotation === IMAGES ? { image: '!' } : { driver: { serviceAccount: '!' } })));
  const usual = await seen();
  await annotate(globs);
  try {
    while (await seen() === usual) await new Promise((resolve) => setTimeout(resolve, 100));
    await whatFor();
  } finally {
    await annotate(before);
    while (await seen() !== usual) await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const SERVICE_ACCOUNTS = 'sparkoperator.k8s.io/allowed-service-accounts';
const IMAGES = 'sparkoperator.k8s.io/allowed-images';

test('what was stored before can be labelled, get a status, be suspended and be deleted; its specification can only be changed into one that is fine', async () => {
  const old = application('old', LIMITED);
  await api.must('POST', pathOf(old), old);
  await whileAllowed(SERVICE_ACCOUNTS, 'nobody', async () => {
    const path = `${pathOf(old)}/old`;
    const patch = (body: object, sub = '') => api.call('PATCH', `${path}${sub}`, body, MERGE);
    expect(await patch({ spec: { suspend: true, timeToLiveSeconds: 60 } })).toMatchObject({ code: 200 });
    expect(await patch({ spec: { timeToLiveSeconds: null } })).toMatchObject({ code: 200 });
    for (const suspend of [false, null]) expect(refusal(await patch({ spec: { suspend } }))).toContain('spec.driver.serviceAccount = "spark" is not among');
    expect(refusal(await patch({ spec: { suspend: true, executor: { template: {} } } }))).toContain('spec.driver.serviceAccount = "spark" is not among');
    expect(refusal(await patch({ spec: { image: null } }))).toContain('spec.driver.serviceAccount = "spark" is not among');
    expect(await patch({ metadata: { labels: { a: 'b' } } })).toMatchObject({ code: 200 });
    expect(await patch({ status: { applicationState: { state: 'RUNNING' }, driverInfo: {} } }, '/status')).toMatchObject({ code: 200, body: { status: { applicationState: { state: 'RUNNING' } } } });
    expect(refusal(await patch({ spec: { driver: { cores: 2 } } }))).toContain('spec.driver.serviceAccount = "spark" is not among');
    expect(await patch({ spec: { driver: { serviceAccount: 'nobody' }, executor: { serviceAccount: 'nobody' } } })).toMatchObject({ code: 200 });
    expect((await api.call('DELETE', path)).code).toBe(200);
  });
});

test('of a schedule that was stored before everything but its template can be changed', async () => {
  const old = scheduled('old', LIMITED);
  await api.must('POST', pathOf(old), old);
  const path = `${pathOf(old)}/old`;
  await whileAllowed(SERVICE_ACCOUNTS, 'nobody', async () => {
    const patch = (body: object) => api.call('PATCH', path, body, MERGE);
    expect(await patch({ spec: { suspend: true } })).toMatchObject({ code: 200 });
    expect(await patch({ spec: { suspend: false, schedule: '@hourly', template: { timeToLiveSeconds: 60 } } })).toMatchObject({ code: 200 });
    expect(refusal(await patch({ spec: { template: { driver: { cores: 2 } } } }))).toContain('spec.template.driver.serviceAccount = "spark" is not among');
  });
  expect((await api.call('DELETE', path)).code).toBe(200);
});

test.each<[string, number, (index: number) => string]>([
  ['beginnings', 16_000, (index) => `registry.example.org/team-${index}/*`],
  ['patterns', 8_000, (index) => `registry.example.org/*/team-${index}/spark:4.?.*`],
])('a list of allowed images that is as long as it may be, of %s, is compared with 30 images, and cut in messages', async (_, characters, globOf) => {
  let globs = 'registry.example.org/a/team-0/*';
  for (let index = 0; globs.length + globOf(index).length + 2 <= characters; index++) globs += `, ${globOf(index)}`;
  const sidecars = (image: (index: number) => string) => ({ image: image(0), driver: { sidecars: Array.from({ length: 29 }, (__, index) => ({ name: `s${index}`, image: image(index + 1) })) } });
  const long = (name: string, index: number) => `${name}${index}-`.padEnd(100, 'x');
  await whileAllowed(IMAGES, globs, async () => {
    expect(refusal(await created(application('case', LIMITED, sidecars((index) => long('registry.example.org/a/team-0/spark:4.1.', index)))))).toBe('201 taken');
    expect(refusal(await created(application('case', LIMITED, sidecars((index) => long('registry.example.org/evil/spark:4.1.', index))))))
      .toMatch(/^spec\.image = "registry\.example\.org\/evil\/spark:4\.1\.0-x+" is not among what namespace .* allows \(.{1000,1100}…\); write one of those images/);
    expect(refusal(await created(application('case', LIMITED, { image: 'evil'.repeat(2000) })))).toMatch(/^spec\.image = "(evil){75}…" is not among/);
  });
});

test('a glob with a backslash fits nothing, and does not harm the others', async () => {
  await whileAllowed(IMAGES, String.raw`spark\E(, \*, registry.example.org/team/*`, async () => {
    expect(refusal(await created(application('case', LIMITED)))).toBe('201 taken');
    expect(refusal(await created(application('case', LIMITED, { image: 'spark' })))).toContain('spec.image = "spark" is not among');
  });
});

test('installed anew, it counts, also for what namespaces say later', async () => {
  const objects = installation.objects.filter(({ kind }) => kind.startsWith('ValidatingAdmissionPolicy'));
  await kubectl(['delete', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  while ((await created(application('probe', LIMITED, { image: 'evil' }))).code !== 201) await new Promise((resolve) => setTimeout(resolve, 100));
  await apply(objects);
  const namespace = `/api/v1/namespaces/${installation.jobs}`;
  await api.must('PATCH', namespace, { metadata: { annotations: { 'sparkoperator.k8s.io/allowed-images': '' } } }, 'application/merge-patch+json');
  let said: string;
  do said = refusal(await created(application('probe', installation.jobs))); while (said === '201 taken');
  expect(said).toContain('spec.image = "registry.example.org/team/spark:4" is not among');
  await api.must('PATCH', namespace, { metadata: { annotations: { 'sparkoperator.k8s.io/allowed-images': null } } }, 'application/merge-patch+json');
});

test("Kubernetes' own check of the expressions finds nothing", async () => {
  const policies = installation.objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy').map(({ metadata: { name } }) => name);
  expect(policies).not.toEqual([]);
  expect(await checkTypes(api, policies)).toEqual(policies.map(() => ({})));
});
