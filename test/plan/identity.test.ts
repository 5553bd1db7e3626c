import fc from 'fast-check';
import { application } from './application';
import { driverPodName, submissionIdentity } from '../../src/plan/identity';
import { applicationNameLabel, resourceNamePrefix } from '../../src/plan/names';

/** The names of Services (RFC 1035), and the values of labels. */
const DNS_LABEL = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$/;

/**
 * Names that Kubernetes accepts for a custom resource: RFC 1123 subdomains of up to 253 characters.
 */
const resourceNames = fc.array(
  fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/), { minLength: 1, maxLength: 5 },
).map(labels => labels.join('.').slice(0, 253).replace(/[-.]+$/, ''));
const keys = fc.record({ uid: fc.uuid(), attempt: fc.integer({ min: 1, max: 1000 }), submissionID: fc.uuid(), generation: fc.integer({ min: 1, max: 100 }) });

test('a submission has these names', () => {
  expect(submissionIdentity('spark-pi', { uid: 'u', attempt: 1, submissionID: '0c5a9c4e-6d0c-4f0e-9d54-0a4f1f6f4f11', generation: 1 })).toEqual({
    applicationId: 'spark-0c5a9c4e6d0c4f0e9d540a4f1f6f4f11',
    resourcePrefix: 'spark-pi-00e318037b39f34c',
    serviceName: 'spark-pi-00e318037b39f34c-driver-svc',
    configMapName: 'spark-drv-00e318037b39f34c-conf-map',
    localDirectory: expect.stringMatching(/^\/var\/data\/spark-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  });
});

test('names are valid for every name of an application', () => {
  fc.assert(fc.property(resourceNames, keys, (name, key) => {
    const identity = submissionIdentity(name, key);
    expect(identity.serviceName).toMatch(DNS_LABEL);
    expect(identity.configMapName).toMatch(DNS_LABEL);
    expect(identity.applicationId).toMatch(DNS_LABEL);
    expect(applicationNameLabel(name)).toMatch(LABEL_VALUE);
  }), { numRuns: 500 });
});

test('names are valid for any text, as Spark\'s own name of an application can be', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), name => {
    expect(`${resourceNamePrefix(name, '0123456789abcdef')}-driver-svc`).toMatch(DNS_LABEL);
    expect(applicationNameLabel(name)).toMatch(LABEL_VALUE);
  }), { numRuns: 500 });
});

test.each(['attempt', 'generation'] as const)('another %s has other names', (field) => {
  fc.assert(fc.property(resourceNames, keys, (name, key) => {
    const first = submissionIdentity(name, key);
    const second = submissionIdentity(name, { ...key, [field]: key[field] + 1 });
    expect(second.serviceName).not.toBe(first.serviceName);
    expect(second.configMapName).not.toBe(first.configMapName);
    expect(second.localDirectory).not.toBe(first.localDirectory);
    expect(submissionIdentity(name, { ...key })).toEqual(first);
  }));
});

test.each([
  ['spark-pi', 'spark-pi-id'],
  ['Daily Report (v2)', 'daily-report-v2-id'],
  ['-x', 'x-id'],
  ['3d', 'xd-id'],
  ['---', 'id'],
  ['a'.repeat(100), `${'a'.repeat(49)}-id`],
  [`${'a'.repeat(48)}-b`, `${'a'.repeat(48)}-id`],
])('Spark\'s rule makes a prefix of %j', (name, prefix) => {
  expect(resourceNamePrefix(name, 'id')).toBe(prefix);
});

test.each([
  ['spark-pi', 'spark-pi'],
  [' Daily Report (v2) ', 'daily-report-v2'],
  ['a'.repeat(100), 'a'.repeat(63)],
  [`${'a'.repeat(62)}-b`, 'a'.repeat(62)],
])('Spark\'s rule makes a label of %j', (name, label) => {
  expect(applicationNameLabel(name)).toBe(label);
});

test('the driver\'s Pod keeps its name whatever its length', () => {
  const name = 'a'.repeat(200);

  expect(driverPodName(application({ name }))).toBe(`${name}-driver`);
  expect(driverPodName(application({ driver: { podName: 'mine' } }))).toBe('mine');
});
