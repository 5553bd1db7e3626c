/* Ways out of a job namespace, each tried with the token of a driver, or with an application that a tenant writes. */
import fc from 'fast-check';
import { ApiServer, type Answer } from '../helpers/api-server';
import { accountConnection } from './helpers/account-connection';
import { Lane } from './helpers/lane';
import { checkTypes } from './helpers/type-checks';
import { until } from './helpers/until';
import { SparkJobNamespace, type ApplicationLimits, type SparkOperator } from '../../src';
import { globVariables, isAllowed } from '../../src/constructs/_policy-globs';
import { GlobBudget, matchesGlob } from '../../src/plan/defaults/glob';
import { planSparkSubmit } from '../../src/plan/plan';
import { prepareSubmission } from '../../src/plan/prepare';
import { application, connect, SERVICE_CASES, SERVICE_LIMITS } from '../helpers/admission-cases';
import { applicationFixtures } from '../helpers/application-fixtures';
import { install, type Installation } from '../helpers/installation';
import { apply, kubectl, list, waitForState } from '../helpers/kubectl';
import { CONTEXT } from '../plan/application';
import { captured } from '../plan/captured';

const TEAM = 'boundary-team';
const SERVICES = 'boundary-services';
const LONG = 'boundary-long';
const RESTRICTED = 'boundary-restricted';
const IMAGE = 'registry.example.org/team/spark:4';
const FOREIGN = 'docker.io/evil/spark:4';
const ACCOUNTS = '(limits.allowedServiceAccounts: spark); write one of those service accounts, or ask who looks after the namespace';
const IMAGES = '(limits.allowedImages: registry.example.org/team/*, pause:?); write one of those images, or ask who looks after the namespace';
const MERGE = 'application/merge-patch+json';
const admin = new ApiServer();
let installation: Installation;
let lane: Lane;
let driver: ApiServer;

function namespaces(operator: SparkOperator): void {
  const of = (name: string, limits: ApplicationLimits) => new SparkJobNamespace(operator.node.scope!, name, { name, operator, isolated: false, limits });
  of(TEAM, { allowedServiceAccounts: ['spark'], allowedImages: ['registry.example.org/team/*', 'pause:?'], deniedSparkConf: ['spark.eventLog.*'] });
  of(SERVICES, SERVICE_LIMITS as ApplicationLimits);
  of(LONG, { allowedImages: [...Array.from({ length: 170 }, (_, index) => `registry.example.org/*/team-${index}/spark:4.?.*`), 'registry.example.org/team/*'], allowedServiceAnnotations: Array.from({ length: 70 }, (_, index) => `*team-${index}.example.org/a`) });
}

beforeAll(async () => {
  installation = await install('boundary', { defaultsConfigMapName: 'spark-defaults', submissionModeAnnotation: false }, namespaces);
  await apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'admin', namespace: TEAM } });
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: RESTRICTED, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } });
  await until(async () => (await admin.call('GET', `/api/v1/namespaces/${RESTRICTED}/serviceaccounts/default`)).code === 200);
  driver = new ApiServer(await accountConnection(TEAM, 'spark'));
  lane = Lane.over(installation);
  // Policies take a moment until they apply.
  await until(async () => (await creation(pod('probe', { image: FOREIGN }))).code === 422 && (await creation(pod('probe', { account: 'admin' }))).code === 422);
  await until(async () => (await written(application('probe', SERVICES, { sparkUIOptions: { serviceType: 'LoadBalancer' } }))).code === 422);
});
afterAll(async () => {
  await lane?.close();
  driver?.close();
  await installation?.remove();
  await kubectl(['delete', 'namespace', TEAM, SERVICES, LONG, RESTRICTED, '--ignore-not-found', '--wait=false']);
  admin.close();
});

/** A pod as a driver could create it. */
function pod(name: string, { account = 'spark', image = IMAGE, ...spec }: { readonly account?: string; readonly image?: string; readonly [field: string]: unknown } = {}): any {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: TEAM }, spec: { ...(account && { serviceAccountName: account }), containers: [{ name: 'main', image }], ...spec } };
}

const PODS = `/api/v1/namespaces/${TEAM}/pods`;

/** Nothing is kept. */
const creation = (object: any, api = driver) => api.call('POST', `${PODS}?dryRun=All`, object);

const PLURALS: Record<string, string> = { SparkApplication: 'sparkapplications', SparkConnect: 'sparkconnects' };

/** Nothing is kept. */
function written({ apiVersion, kind, metadata, ...object }: any): Promise<Answer> {
  return admin.call('POST', `/apis/${apiVersion}/namespaces/${metadata.namespace}/${PLURALS[kind]}?dryRun=All&fieldValidation=Strict`, { apiVersion, kind, metadata, ...object });
}

/** The message of a policy, or the answer if it is another one. */
function refusal({ code, body }: Answer): string {
  const [, text] = /ValidatingAdmissionPolicy 'spark-[^']*' with binding 'spark-[^']*' denied request: ([^]*)$/.exec(body.message ?? '') ?? [];
  return text ?? `${code} ${body.message ?? 'taken'}`;
}

describe('pods that a driver creates', () => {
  test('an executor as Spark makes it is taken', async () => {
    expect(refusal(await creation(pod('executor', { initContainers: [{ name: 'init', image: 'pause:3' }], volumes: [{ name: 'tmp', emptyDir: {} }] })))).toBe('201 taken');
  });

  test('another service account', async () => {
    expect(refusal(await creation(pod('escape', { account: 'admin' })))).toBe(`spec.serviceAccountName = "admin" is not among what namespace ${TEAM} allows ${ACCOUNTS}`);
  });

  test('another service account by the old name of the field', async () => {
    expect(refusal(await creation(pod('escape', { account: '', serviceAccount: 'admin' })))).toBe(`spec.serviceAccountName = "admin" is not among what namespace ${TEAM} allows ${ACCOUNTS}`);
  });

  test('the default service account of the namespace', async () => {
    expect(refusal(await creation(pod('escape', { account: '' })))).toBe(`spec.serviceAccountName = "default" is not among what namespace ${TEAM} allows ${ACCOUNTS}`);
  });

  test.each<[string, Parameters<typeof pod>[1], string]>([
    ['a container', { image: FOREIGN }, 'spec.containers[main].image'],
    ['a second container', { containers: [{ name: 'main', image: IMAGE }, { name: 'other', image: FOREIGN }] }, 'spec.containers[other].image'],
    ['an init container', { initContainers: [{ name: 'init', image: FOREIGN }] }, 'spec.initContainers[init].image'],
  ])('a foreign image of %s', async (_, spec, field) => {
    expect(refusal(await creation(pod('escape', spec)))).toBe(`${field} = "${FOREIGN}" is not among what namespace ${TEAM} allows ${IMAGES}`);
  });

  test('a foreign image in the place of an allowed one', async () => {
    await driver.must('POST', PODS, pod('image-update'));
    const change = { spec: { containers: [{ name: 'main', image: FOREIGN }] } };
    expect(refusal(await driver.call('PATCH', `${PODS}/image-update`, change, 'application/strategic-merge-patch+json'))).toBe(`spec.containers[main].image = "${FOREIGN}" is not among what namespace ${TEAM} allows ${IMAGES}`);
    expect((await driver.call('PATCH', `${PODS}/image-update`, { spec: { containers: [{ name: 'main', image: 'pause:4' }] } }, 'application/strategic-merge-patch+json')).code).toBe(200);
  });

  test('a foreign image of an ephemeral container, which an administrator cannot add either', async () => {
    await driver.must('POST', PODS, pod('ephemeral'));
    const debug = { spec: { ephemeralContainers: [{ name: 'debug', image: FOREIGN }] } };
    const call = (api: ApiServer) => api.call('PATCH', `${PODS}/ephemeral/ephemeralcontainers`, debug, 'application/strategic-merge-patch+json');
    expect((await call(driver)).code).toBe(403);
    expect(refusal(await call(admin))).toBe(`spec.ephemeralContainers[debug].image = "${FOREIGN}" is not among what namespace ${TEAM} allows ${IMAGES}`);
  });

  test('pods that were there before the policy can be labelled, finished and deleted', async () => {
    const binding = installation.objects.find(({ kind, metadata }) => kind === 'ValidatingAdmissionPolicyBinding' && metadata.name === `spark-pods.${TEAM}`);
    await kubectl(['delete', 'validatingadmissionpolicybinding', binding.metadata.name]);
    const old = pod('old', { account: 'admin', image: FOREIGN });
    await until(async () => (await creation(old)).code === 201);
    await admin.must('POST', PODS, { ...old, metadata: { ...old.metadata, finalizers: ['example.org/test'] } });
    await apply(binding);
    await until(async () => (await creation(pod('escape', { image: FOREIGN }))).code === 422);
    expect((await driver.call('PATCH', `${PODS}/old`, { metadata: { labels: { a: 'b' } } }, MERGE)).code).toBe(200);
    expect((await driver.call('PATCH', `${PODS}/old`, { spec: { activeDeadlineSeconds: 5 } }, MERGE)).code).toBe(200);
    expect((await driver.call('DELETE', `${PODS}/old`)).code).toBe(200);
    expect((await driver.call('PATCH', `${PODS}/old`, { metadata: { finalizers: null } }, MERGE)).code).toBe(200);
  });
});

test('lists that are as long as they can be are compared with 30 images and 100 annotations', async () => {
  const containers = (image: string) => Array.from({ length: 30 }, (_, index) => ({ name: `c${index}`, image: `${image}${index}-`.padEnd(100, 'x') }));
  const created = (image: string) => {
    const { metadata, ...object } = pod('long', { containers: containers(image) });
    return admin.call('POST', `/api/v1/namespaces/${LONG}/pods?dryRun=All`, { ...object, metadata: { ...metadata, namespace: LONG } });
  };
  await until(async () => (await created('docker.io/evil/')).code === 422);
  expect(refusal(await created('docker.io/evil/'))).toMatch(/^spec\.containers\[c0\]\.image = "docker\.io\/evil\/0-x+" is not among what namespace boundary-long allows \(limits\.allowedImages: .{1000}…\); write one/);
  expect(refusal(await created('registry.example.org/team/'))).toBe('201 taken');

  const annotations = (end: string) => Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${`x${index}-`.padEnd(25, 'y')}${end}`, '']));
  const annotated = (end: string) => written(application('long', LONG, { image: 'registry.example.org/team/spark', driver: { serviceAnnotations: annotations(end) } }));
  expect(refusal(await annotated('team-7.example.org/a'))).toBe('201 taken');
  expect(refusal(await annotated('team-x.example.org/a'))).toMatch(/^spec\.driver\.serviceAnnotations\[x/);
});

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const workload = { template: { metadata: { labels: { a: 'b' } }, spec: pod('x', { account: 'admin' }).spec } };

test.each<[string, string, string, object]>([
  ['a NetworkPolicy', 'POST', `/apis/networking.k8s.io/v1/namespaces/${TEAM}/networkpolicies`, { metadata: { name: 'x' }, spec: { podSelector: {} } }],
  ['a Secret', 'POST', `/api/v1/namespaces/${TEAM}/secrets`, { metadata: { name: 'x', annotations: { 'kubernetes.io/service-account.name': 'admin' } }, type: 'kubernetes.io/service-account-token' }],
  ['a Deployment', 'POST', `/apis/apps/v1/namespaces/${TEAM}/deployments`, { metadata: { name: 'x' }, spec: { selector: { matchLabels: { a: 'b' } }, ...workload } }],
  ['a Job', 'POST', `/apis/batch/v1/namespaces/${TEAM}/jobs`, { metadata: { name: 'x' }, spec: workload }],
  ['an Ingress', 'POST', `/apis/networking.k8s.io/v1/namespaces/${TEAM}/ingresses`, { metadata: { name: 'x' }, spec: {} }],
  ['an application', 'POST', `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${TEAM}/sparkapplications`, application('x', TEAM)],
  ['the token of another service account', 'POST', `/api/v1/namespaces/${TEAM}/serviceaccounts/admin/token`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }],
  ['a Role', 'POST', `${rbac}/namespaces/${TEAM}/roles`, { metadata: { name: 'x' }, rules: [] }],
  ['a command in another pod', 'POST', `${PODS}/x/exec?command=id`, {}],
  ['a pod in another namespace', 'POST', `/api/v1/namespaces/${SERVICES}/pods`, { ...pod('x'), metadata: { name: 'x', namespace: SERVICES } }],
  ['what the namespace allows', 'PATCH', `/api/v1/namespaces/${TEAM}`, { metadata: { annotations: { 'sparkoperator.k8s.io/allowed-images': '*' } } }],
  ['the policy', 'PATCH', `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/spark-pods.${TEAM}`, { spec: { failurePolicy: 'Ignore' } }],
])('a driver has no right to %s', async (_, method, path, body) => {
  const answer = await driver.call(method, path, body, method === 'PATCH' ? MERGE : undefined);
  expect([answer.code, answer.body.message]).toEqual([403, expect.stringContaining(`User "system:serviceaccount:${TEAM}:spark" cannot`)]);
});

describe('spark-submit, which runs with the service account of drivers', () => {
  const APPLY = 'application/apply-patch+yaml';
  const applied = (object: any) => driver.call('PATCH', `/api/v1/namespaces/${TEAM}/${object.kind.toLowerCase()}s/${object.metadata.name}?fieldManager=fabric8&force=true&dryRun=All`, object, APPLY);
  /** An object of a captured submission, as one of this namespace. */
  const moved = ({ ownerReferences: _, ...metadata }: any, name: string) => ({ ...metadata, name, namespace: TEAM });

  test.each(['3.5.8', '4.1.1', '4.3.0'])('the requests of Spark %s are accepted', async (version) => {
    const { pod: sent, resources } = captured(version, 'min');
    const container = { ...sent.spec.containers[0], image: IMAGE };
    const answer = await creation({ ...sent, metadata: moved(sent.metadata, 'pi-driver'), spec: { ...sent.spec, serviceAccountName: 'spark', containers: [container] } });
    expect([answer.code, answer.body.message]).toEqual([201, undefined]);
    const answers = await Promise.all(resources.filter(({ kind }) => kind !== 'NetworkPolicy').map((object) => applied({ ...object, metadata: moved(object.metadata, `pi-${object.kind.toLowerCase()}`) })));
    expect(answers.map(({ code, body }) => [code, body.message])).toEqual(answers.map(() => [201, undefined]));
    expect(answers.length).toBeGreaterThan(1);
  });

  test.each([
    ['an address outside of the cluster', { type: 'LoadBalancer' }],
    ['an external address', { clusterIP: 'None', externalIPs: ['192.0.2.1'] }],
    ['an address in the cluster', {}],
  ])('a Service with %s is rejected', async (_, spec) => {
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec: { ports: [{ port: 80 }], ...spec } };
    await until(async () => (await applied(service)).code === 422);
    expect(refusal(await applied(service))).toMatch(/^a Service of a driver must have spec\.clusterIP None, and no spec\.externalIPs/);
  });

  test('the account that SparkOperator creates in a job namespace has the same limits', async () => {
    const account = new ApiServer(await accountConnection(installation.jobs, 'spark'));
    const created = (spec: object) => account.call('POST', `/api/v1/namespaces/${installation.jobs}/services?dryRun=All`, { metadata: { name: 'x' }, spec: { ports: [{ port: 80 }], ...spec } });
    try {
      await until(async () => (await created({ type: 'NodePort' })).code === 422);
      expect(refusal(await created({ type: 'NodePort' }))).toMatch(/^a Service of a driver must have spec\.clusterIP None, and no spec\.externalIPs/);
      expect(refusal(await created({ clusterIP: 'None' }))).toBe('201 taken');
    } finally {
      account.close();
    }
  });

  test('objects of others cannot be changed', async () => {
    await admin.must('POST', `/api/v1/namespaces/${TEAM}/services`, { metadata: { name: 'theirs' }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } });
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'theirs', labels: { a: 'b' } }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } };
    const defaults = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'spark-defaults' }, data: { 'limits.yaml': '' } };
    for (const object of [service, defaults]) {
      await until(async () => (await applied(object)).code === 422);
      expect(refusal(await applied(object))).toMatch(/^the service account of drivers can create Services and ConfigMaps, and not change them/);
    }
  });

  test.each(applicationFixtures())('its Pod for $file meets the restricted Pod Security Standard', async ({ manifest: { metadata, spec } }) => {
    const { submitter } = planSparkSubmit(prepareSubmission({ metadata: { ...metadata, namespace: RESTRICTED, uid: 'u' }, spec: { ...spec, image: spec.image || IMAGE } }, CONTEXT));
    const { ownerReferences: _, ...others } = submitter.pod.metadata;
    // Objects of the cluster that the fixture names do not exist.
    const { priorityClassName, runtimeClassName, serviceAccountName, ...rest } = submitter.pod.spec;
    const answer = await admin.call('POST', `/api/v1/namespaces/${RESTRICTED}/pods?dryRun=All`, { ...submitter.pod, metadata: others, spec: { ...rest, serviceAccountName: 'default' } });
    expect([answer.code, answer.body.message]).toEqual([201, undefined]);
  });
});

test('a driver cannot read Secrets', async () => {
  expect((await driver.call('GET', `/api/v1/namespaces/${TEAM}/secrets`)).code).toBe(403);
});

describe('Services that applications and servers ask for', () => {
  const objectOf = ({ kind, spec }: (typeof SERVICE_CASES)[number]) => (kind === 'SparkConnect' ? connect('case', SERVICES, { ...spec, server: { template: { spec: { serviceAccountName: 'spark' } }, ...spec.server } }) : application('case', SERVICES, spec));

  test.each(SERVICE_CASES)('$kind: $name', async (each) => {
    const said = refusal(await written(objectOf(each)));
    if (each.refused === undefined) expect(said).toBe('201 taken');
    else expect(said.startsWith(`${each.refused} = "`)).toBe(true);
    if (each.refused !== undefined) expect(said).toMatch(/ is not among what namespace boundary-services allows \(sparkoperator\.k8s\.io\/allowed-service-(types: NodePort|annotations: team\.example\.org\/\*, scrape)\); (write ClusterIP|remove it), or ask who looks after the namespace$/);
  });

  test('by default only ClusterIP, and any annotation', async () => {
    const of = (sparkUIOptions: object) => written(application('case', TEAM, { sparkUIOptions }));
    for (const serviceType of ['LoadBalancer', 'NodePort']) expect(refusal(await of({ serviceType }))).toContain(`spec.sparkUIOptions.serviceType = "${serviceType}" is not among what namespace ${TEAM} allows`);
    expect(refusal(await of({ serviceType: 'ClusterIP', serviceAnnotations: { a: 'b' } }))).toBe('201 taken');
  });

  test('a namespace of no SparkJobNamespace allows all, as with kubeflow', async () => {
    const spec = { sparkUIOptions: { serviceType: 'LoadBalancer', serviceAnnotations: { a: 'b' } } };
    expect(refusal(await written(application('case', installation.jobs, spec)))).toBe('201 taken');
  });
});

describe('applications that the operator refuses', () => {
  beforeAll(() => { lane.startAs(installation); });

  const OPTION = '-Dspark.kubernetes.authenticate.executor.serviceAccountName=admin';

  test.each<[string, object, object, string]>([
    ['another service account for executors by an option', {}, { driver: { javaOptions: OPTION } }, 'spec.driver.javaOptions sets spark.kubernetes.authenticate.executor.serviceAccountName, which is not allowed as an option'],
    ['the same in quotes of a variable', {}, { driver: { env: [{ name: 'JAVA_TOOL_OPTIONS', value: OPTION.replace('spark', '"sp"ark') }] } }, 'spec.driver.env[JAVA_TOOL_OPTIONS] sets spark.kubernetes.authenticate'],
    ['a denied property by an option', {}, { driver: { javaOptions: '-Dspark.eventLog.dir=s3a://mine' } }, 'spec.driver.javaOptions sets spark.eventLog.dir, which is not among what ConfigMap boundary-team/spark-defaults allows'],
    ['options that cannot be read here', {}, { driver: { envSecretKeyRefs: { JDK_JAVA_OPTIONS: { name: 'a', key: 'b' } } } }, 'spec.driver.envSecretKeyRefs[JDK_JAVA_OPTIONS] has options from another source'],
    ['another way to be submitted', { 'sparkoperator.k8s.io/submission-mode': 'spark-submit' }, {}, 'metadata.annotations[sparkoperator.k8s.io/submission-mode] = "spark-submit" is not allowed by the operator (--enable-submission-mode-annotation=false); remove it'],
  ])('%s', async (escape, annotations, spec, reason) => {
    const name = escape.replaceAll(' ', '-');
    const object = application(name, TEAM, spec);
    await apply({ ...object, metadata: { ...object.metadata, annotations } });
    const { status } = await waitForState(TEAM, name, 'FAILED');
    expect(status.applicationState.errorMessage).toContain(reason);
    expect(await list(TEAM, 'pods', `sparkoperator.k8s.io/app-name=${name}`)).toEqual([]);
  });

  test('one that keeps to the rules gets its driver', async () => {
    await apply(application('fine', TEAM, { driver: { javaOptions: '-Dspark.sql.shuffle.partitions=7' } }));
    await until(async () => (await list(TEAM, 'pods', 'sparkoperator.k8s.io/app-name=fine')).length === 1);
  });
});

describe('globs', () => {
  const POLICY = 'spark-globs.boundary-test';

  /** A policy that compares what the ConfigMap of a test says. */
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: POLICY },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }] },
      matchConditions: [{ name: 'is-case', expression: "has(object.data) && 'glob' in object.data" }],
      variables: globVariables('Texts', '[object.data.glob]'),
      validations: [{ expression: isAllowed('Texts', 'object.data.text') }],
    },
  };
  const binding = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: POLICY },
    spec: { policyName: POLICY, matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': SERVICES } } }, validationActions: ['Deny'] },
  };

  /** Whether the API server finds that a text fits a glob. */
  async function fits(glob: string, text: string): Promise<boolean> {
    const { code, body } = await admin.call('POST', `/api/v1/namespaces/${SERVICES}/configmaps?dryRun=All`, { metadata: { name: 'case' }, data: { glob, text } });
    if (code !== 201 && !String(body.message).includes(POLICY)) throw new Error(`${code} ${body.message}`);
    return code === 201;
  }

  beforeAll(async () => {
    await apply([policy, binding]);
    await until(async () => !await fits('a', 'b'));
  });
  afterAll(() => kubectl(['delete', 'validatingadmissionpolicybinding,validatingadmissionpolicy', POLICY]));

  const part = fc.constantFrom('*', '?', '**', 'a', 'b', '.', '/', '+', '(', '[a]', '$', '^', '|', 'Q', 'E', ' ', '\n', 'é', '😀');
  const text = fc.array(fc.constantFrom('a', 'b', '.', '/', '+', '(', '[a]', '$', '^', '|', 'Q', 'E', ' ', '\n', 'é', '😀', '*', '?'), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
  /** A glob of a text: some of its characters are asterisks and question marks. */
  const related = text.chain((whole) => fc.tuple(fc.constant(whole), fc.array(fc.constantFrom('same', '*', '?', 'none'), { minLength: 12, maxLength: 12 }))).map(([whole, changes]) => ({
    text: whole, glob: [...whole].map((char, index) => ({ 'same': char, '*': '*', '?': '?', 'none': '' })[changes[index] ?? 'same']).join(''),
  }));
  const pair = fc.oneof(related, fc.record({ glob: fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')), text }));

  test('the policy and the operator find the same', async () => {
    let found = 0;
    await fc.assert(fc.asyncProperty(pair.filter(({ glob }) => glob !== ''), async ({ glob, text: compared }) => {
      const expected = matchesGlob(glob, compared, new GlobBudget());
      if (expected) found++;
      expect(await fits(glob, compared)).toBe(expected);
    }), { numRuns: 400, examples: [[{ glob: '?', text: '😀' }], [{ glob: '??', text: '😀' }], [{ glob: '*?', text: 'a\n' }]] });
    expect(found).toBeGreaterThan(40);
  });
});

test("Kubernetes' own check of the expressions finds nothing", async () => {
  expect(await checkTypes(admin, [`spark-pods.${TEAM}`])).toEqual([{}]);
});
