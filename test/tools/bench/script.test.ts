import type { RecordedCall } from '../../../tools/bench/submission/recorder.ts';
import { fill, keepAnswer, scriptedCalls, scriptOf, valuesFor, type ScriptCall, type Values } from '../../../tools/bench/submission/script.ts';

const UID = '11111111-2222-3333-4444-555555555555';
const SUBMISSION = 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee';
const ID = '0123456789abcdef';
const APPLICATIONS = '/apis/sparkoperator.k8s.io/v1beta2/namespaces/seen/sparkapplications';
const seen = { namespace: 'seen', name: 'bench-000001', uid: UID, resourceVersion: '7' };

/** A submission as the operator makes it: intent, ConfigMap and Service at once, driver, status; an event behind it. */
const RECORDED: readonly RecordedCall[] = [
  call('PUT', `${APPLICATIONS}/bench-000001/status`, { metadata: { name: 'bench-000001', uid: UID, resourceVersion: '7' }, status: { submissionID: SUBMISSION } }, [0, 5], { resourceVersion: '8' }),
  call('POST', '/api/v1/namespaces/seen/configmaps', { metadata: { name: `spark-drv-${ID}-conf-map`, namespace: 'seen' } }, [6, 10], { uid: '77777777-2222-3333-4444-555555555555', resourceVersion: '9' }),
  call('POST', '/api/v1/namespaces/seen/services', { metadata: { name: `bench-000001-${ID}-driver-svc` } }, [7, 12], { uid: '88888888-2222-3333-4444-555555555555', resourceVersion: '10' }),
  call('POST', '/api/v1/namespaces/seen/pods', { metadata: { name: 'bench-000001-driver' }, spec: { app: `spark-${SUBMISSION}` } }, [13, 20], { uid: '99999999-2222-3333-4444-555555555555', resourceVersion: '11' }),
  call('POST', '/api/v1/namespaces/seen/events', { metadata: { name: 'bench-000001.00190000000000abcd' }, involvedObject: { uid: UID, resourceVersion: '12' } }, [22, 30], {}),
  call('PUT', `${APPLICATIONS}/bench-000001/status`, { metadata: { name: 'bench-000001', uid: UID, resourceVersion: '8' }, driver: '99999999-2222-3333-4444-555555555555' }, [21, 25], { resourceVersion: '12' }),
].sort((a, b) => a.began - b.began);

function call(method: string, path: string, body: object, [began, ended]: [number, number], answered: object): RecordedCall {
  return { method, path, contentType: 'application/json', body: JSON.stringify(body), began, ended, status: 201, answer: JSON.stringify({ metadata: answered }) };
}

const script = scriptOf(RECORDED, seen);

/** Returns the calls in order; the API server answers with versions and uids from 100 on. */
function replay(values: Values): { path: string; body: any }[] {
  const sent: { path: string; body: any }[] = [];
  let version = 100;
  const make = (one: ScriptCall) => {
    sent.push({ path: fill(one.path, values), body: JSON.parse(fill(one.body!, values)) });
    keepAnswer(one, JSON.stringify({ metadata: { uid: `uid-${version}`, resourceVersion: String(version++) } }), values);
  };
  for (const step of script.steps) step.forEach(make);
  script.behind.forEach(make);
  return sent;
}

test('calls that did not wait for an answer are made at the same time, and events after the rest', () => {
  const kinds = script.steps.map((step) => step.map(({ path }) => path.join('').split('/').at(-1)));
  expect(kinds).toEqual([['status'], ['configmaps', 'services'], ['pods'], ['status']]);
  expect(script.behind).toHaveLength(1);
  expect(scriptedCalls(script)).toEqual({ 'PUT sparkapplications/status': 2, 'POST configmaps': 1, 'POST services': 1, 'POST pods': 1, 'POST events': 1 });
});

test('replayed for the recorded application with its ids, all bytes are the same', () => {
  const values = valuesFor(script, seen);
  for (const { slot, length } of script.ids) values[slot] = length === ID.length ? ID : '00190000000000abcd';
  const first = script.steps[0]![0]!;
  expect(fill(first.path, values)).toBe(RECORDED[0]!.path);
  expect(fill(first.body!, values)).toBe(RECORDED[0]!.body);
  expect(fill(script.steps[1]![1]!.body!, values)).toBe(RECORDED[2]!.body);
});

test('another application has its own names, uid, ids and answers', () => {
  const sent = replay(valuesFor(script, { namespace: 'bare', name: 'bench-000002', uid: 'ffffffff-2222-3333-4444-555555555555', resourceVersion: '50' }));
  const [intent, configMap, service, pod, status, event] = sent;

  expect(intent!.path).toBe('/apis/sparkoperator.k8s.io/v1beta2/namespaces/bare/sparkapplications/bench-000002/status');
  expect(intent!.body.metadata).toEqual({ name: 'bench-000002', uid: 'ffffffff-2222-3333-4444-555555555555', resourceVersion: '50' });
  const id = /^spark-drv-([0-9a-f]{16})-conf-map$/.exec(configMap!.body.metadata.name)![1]!;
  expect(id).not.toBe(ID);
  expect(service!.body.metadata.name).toBe(`bench-000002-${id}-driver-svc`);
  // An id that is only in values stays.
  expect([intent!.body.status.submissionID, pod!.body.spec.app]).toEqual([SUBMISSION, `spark-${SUBMISSION}`]);
  // The intent was answered with 100, ConfigMap and Service with 101 and 102, the driver with 103.
  expect(status!.body).toEqual({ metadata: { name: 'bench-000002', uid: 'ffffffff-2222-3333-4444-555555555555', resourceVersion: '100' }, driver: 'uid-103' });
  expect(event!.body.involvedObject).toEqual({ uid: 'ffffffff-2222-3333-4444-555555555555', resourceVersion: '104' });
  expect(event!.body.metadata.name).toMatch(/^bench-000002\.[0-9a-f]{18}$/);
});

test('a failed submission is rejected', () => {
  expect(() => scriptOf([{ ...RECORDED[0]!, status: 409, answer: '{"message":"conflict"}' }], seen)).toThrow('409 {"message":"conflict"}');
});
