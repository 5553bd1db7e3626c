/*
 * A real API server evaluates the policy in test/api/admission-policy.test.ts, with the same cases
 * as operator and constructs here.
 */
import { Testing } from 'cdk8s';
import { parse, stringify } from 'yaml';
import { problemsOf } from './synthesis';
import { ApiSparkApplication, ServiceType, SparkJobNamespace, SparkOperator, SubmissionMode, type SparkJobNamespaceProps, type SparkOperatorProps } from '../../src';
import { application, applicationSpec, APPLICATION_CASES, connect, LIMITS, SERVICE_CASES, SERVICE_LIMITS } from '../helpers/admission-cases';
import { namespace } from '../plan/defaults/layers';
import { creation, validatorOf } from '../operator/admission/validate/questions';

function synthesized(props: SparkOperatorProps, jobs?: Partial<SparkJobNamespaceProps>): any[] {
  const chart = Testing.chart();
  const operator = new SparkOperator(chart, 'operator', { installCrds: false, ...props });
  if (jobs) new SparkJobNamespace(chart, 'jobs', { name: 'team-a', operator, ...jobs });
  return Testing.synth(chart);
}

const bindings = (objects: any[]) => objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding').map(({ metadata, spec }) => [
  metadata.name, spec.matchResources.namespaceSelector,
]);
const byKind = (objects: any[], kind: 'applications' | 'drivers') => bindings(objects).filter(([name]) => name.startsWith(`spark-${kind}`));
const NAME = 'kubernetes.io/metadata.name';

test.each<[string, SparkOperatorProps, unknown]>([
  ['names', { namespace: 'ops', jobNamespaces: ['a', 'b'] }, [
    ['spark-applications.ops', { matchExpressions: [{ key: NAME, operator: 'In', values: ['a', 'b'] }] }],
  ]],
  ['labels', {
    namespace: 'ops', namespaceSelector: { spark: 'yes' },
  }, [['spark-applications-labelled.ops', { matchLabels: { spark: 'yes' } }]]],
  ['names and labels, each namespace once', { namespace: 'ops', jobNamespaces: ['a'], namespaceSelector: { spark: 'yes' } }, [
    ['spark-applications.ops', { matchExpressions: [{ key: NAME, operator: 'In', values: ['a'] }] }],
    ['spark-applications-labelled.ops', {
      matchLabels: { spark: 'yes' }, matchExpressions: [{ key: NAME, operator: 'NotIn', values: ['a'] }],
    }],
  ]],
  ['all namespaces', { allNamespaces: true }, [['spark-applications.spark-operator', {}]]],
  ['no namespace, if it is disabled', { admissionPolicy: false }, []],
])('the policy is for %s', (_, props, expected) => {
  expect(byKind(synthesized(props), 'applications')).toEqual(expected);
});

test('the policy includes a namespace that is added later', () => {
  expect(bindings(synthesized({ jobNamespaces: [] }, {}))).toEqual([
    ['spark-applications.spark-operator', { matchExpressions: [{ key: NAME, operator: 'In', values: ['team-a'] }] }],
    ['spark-drivers.team-a.spark', { matchLabels: { [NAME]: 'team-a' } }],
  ]);
});

test('the policy fails closed for all three kinds, and ignores their status', () => {
  const { spec } = synthesized({}).find(({ kind }) => kind === 'ValidatingAdmissionPolicy');
  expect(spec.failurePolicy).toBe('Fail');
  expect(spec.matchConstraints.resourceRules.flatMap(({ resources }: any) => resources)).toEqual([
    'sparkapplications', 'scheduledsparkapplications', 'sparkconnects',
  ]);
  expect(spec.validations.every(({ message }: any) => /; (remove|write)/.test(message))).toBe(true);
});

describe('the limits of a namespace', () => {
  const metadataOf = (objects: any[]) => objects.find(({ kind, metadata }) => kind === 'Namespace' && metadata.name === 'team-a').metadata;
  const operator = { jobNamespaces: [], defaultsConfigMapName: 'spark-defaults' };
  const services = { 'sparkoperator.k8s.io/allowed-service-types': 'ClusterIP' };
  const annotations = {
    'sparkoperator.k8s.io/allowed-service-accounts': 'spark, etl-*',
    'sparkoperator.k8s.io/allowed-images': 'registry.example.org/team/*, spark:4.?.1', ...services,
  };

  test("are in its annotations, in addition to the user's", () => {
    expect(metadataOf(synthesized(operator, {
      limits: LIMITS, annotations: { owner: 'x' },
    })).annotations).toEqual({ owner: 'x', ...annotations });
    expect(metadataOf(synthesized(operator, { limits: { maxExecutors: 3 } })).annotations).toEqual(services);
    expect(metadataOf(synthesized(operator, {
      limits: { allowedServiceTypes: [ServiceType.NODE_PORT, ServiceType.LOAD_BALANCER], allowedServiceAnnotations: [] },
    })).annotations)
      .toEqual({
        'sparkoperator.k8s.io/allowed-service-types': 'NodePort, LoadBalancer',
        'sparkoperator.k8s.io/allowed-service-annotations': '',
      });
    expect(metadataOf(synthesized({ ...operator, admissionPolicy: false }, { limits: LIMITS })).annotations).toBeUndefined();
  });

  test('are available as annotations for a namespace that is defined elsewhere', () => {
    const chart = Testing.chart();
    const jobs = new SparkJobNamespace(chart, 'jobs', { name: 'team-a', create: false, defaultsConfigMapName: 'd', limits: LIMITS });
    expect(jobs.admissionAnnotations).toEqual(annotations);
  });

  test('need no ConfigMap with defaults if there is the policy', () => {
    expect(metadataOf(synthesized({ jobNamespaces: [] }, { limits: LIMITS })).annotations).toEqual(annotations);
    expect(() => synthesized({ jobNamespaces: [] }, {
      limits: { ...LIMITS, maxExecutors: 3 },
    })).toThrow('limits.maxExecutors has no effect');
    expect(() => synthesized({ jobNamespaces: [], admissionPolicy: false }, {
      limits: { allowedImages: ['a'] },
    })).toThrow('limits.allowedImages has no effect');
  });

  test('are rejected at synth if they exceed what the API server can compare', () => {
    const many = (count: number, glob: (index: number) => string) => ({
      limits: { allowedImages: Array.from({ length: count }, (_, index) => glob(index)) },
    });
    expect(() => synthesized(operator, many(400, (index) => `registry.example.org/team-${index}/*`))).not.toThrow();
    expect(() => synthesized(operator, many(500, (index) => `registry.example.org/team-${index}/*`))).toThrow(
      /limits\.allowedImages = "16388 characters" is more than the admission policy can compare, 16000 .*; write fewer, with \* after a common prefix/,
    );
    expect(() => synthesized(operator, many(300, (index) => `registry.example.org/*/spark:4.?.${index}`))).toThrow(
      /limits\.allowedImages = ".*" in globs with \? or with \* before the end is more than the admission policy can compare, 8000;/,
    );
  });

  test('are rejected at synth if annotations exceed what the API server can compare', () => {
    const of = (count: number) => ({
      limits: { allowedServiceAnnotations: Array.from({ length: count }, (_, index) => `team-${index}.example.org/*`) },
    });
    expect(() => synthesized(operator, of(80))).not.toThrow();
    expect(() => synthesized(operator, of(120))).toThrow(
      /limits\.allowedServiceAnnotations = ".*" is more than the admission policy can compare, 2000 /,
    );
  });

  test('are rejected at synth if they cannot be parsed', () => {
    expect(() => synthesized(operator, {
      limits: { allowedImages: ['a:1,b:1'] },
    })).toThrow('limits.allowedImages[0] = "a:1,b:1" has a blank, a comma or a backslash');
    expect(() => synthesized(operator, {
      limits: LIMITS, annotations: { 'sparkoperator.k8s.io/allowed-images': 'x' },
    })).toThrow('is set by limits; leave it out');
  });
});

describe('the policy for drivers of the operator', () => {
  const NATIVE = { submissionMode: SubmissionMode.NATIVE, submissionModeAnnotation: false };

  test.each<[string, SparkOperatorProps, unknown]>([
    ['names', { namespace: 'ops', jobNamespaces: ['a', 'b'] }, [
      ['spark-drivers.ops', { matchExpressions: [{ key: NAME, operator: 'In', values: ['a', 'b'] }] }],
    ]],
    ['the default namespace', {}, [
      ['spark-drivers.spark-operator', { matchExpressions: [{ key: NAME, operator: 'In', values: ['default'] }] }],
    ]],
    ['labels', { namespaceSelector: { spark: 'yes' } }, [['spark-drivers-labelled.spark-operator', { matchLabels: { spark: 'yes' } }]]],
    ['requirements', { namespaceSelector: { spark: 'yes' }, namespaceSelectorExpression: 'env in (prod,test),!old' }, [
      ['spark-drivers-labelled.spark-operator', {
        matchLabels: { spark: 'yes' },
        matchExpressions: [{ key: 'env', operator: 'In', values: ['prod', 'test'] }, { key: 'old', operator: 'DoesNotExist' }],
      }],
    ]],
    ['names and labels', { jobNamespaces: ['a'], namespaceSelector: { spark: 'yes' } }, [
      ['spark-drivers.spark-operator', { matchExpressions: [{ key: NAME, operator: 'In', values: ['a'] }] }],
      ['spark-drivers-labelled.spark-operator', {
        matchLabels: { spark: 'yes' }, matchExpressions: [{ key: NAME, operator: 'NotIn', values: ['a'] }],
      }],
    ]],
    ['all namespaces', { allNamespaces: true }, [['spark-drivers.spark-operator', {}]]],
    ['no namespace, if spark-submit never runs', NATIVE, []],
    ['no namespace, if policies are disabled', { admissionPolicy: false }, []],
  ])('is for %s', (_, props, expected) => {
    expect(byKind(synthesized(props), 'drivers')).toEqual(expected);
  });

  test('applies to the account of drivers in each namespace', () => {
    const policies = (objects: any[]) => objects.filter(({ kind, metadata }) => kind === 'ValidatingAdmissionPolicy' && metadata.name.startsWith('spark-drivers.'));
    const [policy] = policies(synthesized({ jobNamespaces: ['a', 'b'] }));
    const [own] = policies(synthesized({ jobNamespaces: [] }, {}));
    expect(policy.spec).toEqual({
      ...own.spec,
      matchConditions: [{ name: 'driver', expression: "request.userInfo.username == 'system:serviceaccount:' + request.namespace + ':spark'" }],
    });
  });

  test.each<[string, SparkOperatorProps, Partial<SparkJobNamespaceProps> | undefined]>([
    ['namespaces of the operator', { jobNamespaces: ['a', 'b'] }, undefined],
    ['an existing namespace', { jobNamespaces: ['a'] }, { create: false }],
    ['an existing namespace with another account', { jobNamespaces: [] }, { create: false, serviceAccountName: 'etl' }],
    ['all namespaces', { allNamespaces: true }, { create: false, serviceAccountName: 'etl' }],
  ])('covers each account that can create Services: %s', (_, props, jobs) => {
    const objects = synthesized(props, jobs);
    const canCreate = objects.filter(({ kind, metadata, rules }) => kind === 'Role' && metadata.name.endsWith('-driver')
      && rules.some(({ resources, verbs }: any) => resources.includes('services') && verbs.includes('create')));
    expect(canCreate.length).toBeGreaterThan(0);
    const covered = bindings(objects).filter(([name]) => name.startsWith('spark-drivers')).map(([name, selector]) => {
      const { matchConditions: [{ expression }] } = objects.find(({ kind, metadata }) => kind === 'ValidatingAdmissionPolicy' && metadata.name === name).spec;
      return { expression, namespaces: selector.matchLabels?.[NAME] ?? selector.matchExpressions?.[0].values ?? 'all' };
    });
    for (const { metadata: { name, namespace: of } } of canCreate) {
      const account = name.replace(/-driver$/, '');
      const matches = [`'system:serviceaccount:${of}:${account}'`, `'system:serviceaccount:' + request.namespace + ':${account}'`]
        .map((user) => `request.userInfo.username == ${user}`);
      expect(covered.some(({ expression, namespaces }) => matches.includes(expression) && (namespaces === 'all' || namespaces.includes(of)))).toBe(true);
    }
  });
});

describe('the policy for drivers of a namespace', () => {
  const policyOf = (operator: SparkOperatorProps, jobs: Partial<SparkJobNamespaceProps>) => {
    const objects = synthesized(operator, jobs as never);
    return objects.find(({ kind, metadata }) => kind === 'ValidatingAdmissionPolicy' && metadata.name.startsWith('spark-drivers.team-a.'));
  };
  const operator = { jobNamespaces: [] };
  const elsewhere = { jobNamespaces: ['other'] };

  test('applies to the service account of drivers', () => {
    expect(policyOf(operator, { serviceAccountName: 'etl' }).spec).toMatchObject({
      failurePolicy: 'Fail',
      matchConditions: [{ expression: "request.userInfo.username == 'system:serviceaccount:team-a:etl'" }],
      matchConstraints: { resourceRules: [{ operations: ['CREATE', 'UPDATE'], resources: ['services', 'configmaps'] }] },
    });
  });

  test.each<[string, SparkOperatorProps, Partial<SparkJobNamespaceProps>, boolean]>([
    ['an existing namespace', operator, { create: false }, true],
    ['an existing namespace without the operator, whose users might not be allowed to create policies', elsewhere, {
      create: false, operator: undefined,
    }, false],
    ['the same with limits of Services', elsewhere, { create: false, operator: undefined, limits: { allowedServiceAnnotations: [] } }, true],
    ['an operator that never runs spark-submit', { ...operator, submissionMode: SubmissionMode.NATIVE, submissionModeAnnotation: false }, {}, false],
    ['an operator without policies', { ...operator, admissionPolicy: false }, {}, false],
  ])('%s', (_, props, jobs, exists) => {
    expect(policyOf(props, jobs) !== undefined).toBe(exists);
  });
});

describe('the policy for pods', () => {
  const policies = (objects: any[]) => objects.filter(({ metadata }) => metadata.name === 'spark-pods.team-a');
  const operator = { jobNamespaces: [] };

  test('applies to all pods of that namespace', () => {
    const [policy, binding] = policies(synthesized(operator, { limits: LIMITS }));
    expect([policy.kind, binding.kind]).toEqual(['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding']);
    expect(policy.spec).toMatchObject({
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [{
          operations: ['CREATE', 'UPDATE'], resources: ['pods'],
        }, { operations: ['UPDATE'], resources: ['pods/ephemeralcontainers'] }],
      },
    });
    expect(binding.spec).toMatchObject({
      policyName: 'spark-pods.team-a', matchResources: {
        namespaceSelector: { matchLabels: { [NAME]: 'team-a' } },
      }, validationActions: ['Deny'],
    });
  });

  test('needs neither the operator nor a new namespace', () => {
    const chart = Testing.chart();
    new SparkJobNamespace(chart, 'jobs', { name: 'team-a', create: false, limits: { allowedServiceAccounts: ['spark'] } });
    expect(policies(Testing.synth(chart))).toHaveLength(2);
  });

  test.each<[string, SparkOperatorProps, SparkJobNamespaceProps['limits']]>([
    ['no service accounts and images are limited', operator, { allowedServiceAnnotations: [] }],
    ['there are to be no policies', { ...operator, admissionPolicy: false, defaultsConfigMapName: 'd' }, LIMITS],
  ])('does not exist if %s', (_, props, limits) => {
    expect(policies(synthesized(props, { limits }))).toEqual([]);
  });
});

test('the limits of Services are also in the ConfigMap, by default only ClusterIP', () => {
  const limitsOf = (limits?: SparkJobNamespaceProps['limits']) => (
    parse(synthesized({ jobNamespaces: [], defaultsConfigMapName: 'd' }, { limits }).find(({ kind, metadata }) => kind === 'ConfigMap'
      && metadata.name === 'd').data['limits.yaml'])
  );
  expect(limitsOf()).toEqual({ allowedServiceTypes: ['ClusterIP'] });
  expect(limitsOf({ maxExecutors: 3, allowedServiceTypes: [], allowedServiceAnnotations: ['team/*'] })).toEqual({
    maxExecutors: 3, allowedServiceTypes: [], allowedServiceAnnotations: ['team/*'],
  });
  expect(namespace({ limits: stringify(limitsOf({ allowedServiceTypes: [ServiceType.LOAD_BALANCER] })) }).limits).toEqual({
    allowedServiceTypes: ['LoadBalancer'],
  });
});

describe('operator and constructs agree with the policy', () => {
  const layers = { namespace: namespace({ limits: stringify(LIMITS) }) };

  test.each(APPLICATION_CASES)('the operator: $name', async ({ spec, refused, message, withoutEffect }) => {
    const answer = await validatorOf('SparkApplication', { layers })(creation('SparkApplication', application('case', 'jobs', spec)));
    if (refused === undefined || withoutEffect) expect(answer).toMatchObject({ allowed: true });
    else expect(answer.message!).toContain(refused);
    if (message !== undefined) expect(answer.message).toContain(message.slice(0, message.indexOf(' = ')).split('[')[0]);
  });

  test.each(SERVICE_CASES)('the operator: $kind, $name', async ({ kind, spec, refused }) => {
    const object = (kind === 'SparkConnect' ? connect : application)('case', 'jobs', spec);
    const answer = await validatorOf(kind, {
      layers: { namespace: namespace({ limits: stringify(SERVICE_LIMITS) }) },
    })(creation(kind, object));
    expect(answer.allowed).toBe(refused === undefined);
    if (refused !== undefined) expect(answer.message).toContain(refused);
  });

  test.each(APPLICATION_CASES.filter(({ message }) => message !== undefined))('at synth: $name', ({ spec, refused }) => {
    const { name, namespace: own, ...rest } = { name: 'case', namespace: 'jobs', spec: applicationSpec('jobs', spec) };
    const resource = new ApiSparkApplication(Testing.chart(), 'app', { metadata: { name, namespace: own }, ...rest });
    expect(problemsOf(resource).join('\n')).toContain(refused!);
  });
});
