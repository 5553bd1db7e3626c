/* docs/troubleshoot/errors.md, "The driver is not created": each message of a submission that cannot be made has a row, and the operator does what the row promises. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { each, sourceTexts } from './helpers/source-texts';
import { ApiError } from '../src/kube/errors';
import type { PodView } from '../src/model/pod-view';
import { webhookFailure } from '../src/operator/admission/webhook-failure';
import { noAnswerToCreate, ownWebhookAway, refusalToCreate } from '../src/operator/driver/refusal';
import { submissionFailureOf, type SubmissionFailure } from '../src/operator/driver/submission-failure';
import { inTheWay } from '../src/operator/kinds/spark-application/belonging';
import { outcomeOf } from '../src/operator/kinds/spark-application/spark-submit-outcome';
import { submitterFailure } from '../src/operator/kinds/spark-application/submitter-failure';
import { SubmissionError } from '../src/plan/errors';
import type { SubmissionSettings } from '../src/plan/settings';

const root = join(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const [, section] = /^## The driver is not created$([^]*?)^## /m.exec(read('docs/troubleshoot/errors.md'))!;
const rows = section!.split('\n').filter((line) => line.startsWith('| `')).map((line) => {
  const [quotes, cause, operator, remedy] = line.slice(2, -2).split(' | ');
  return { quotes: [...quotes!.matchAll(/`([^`]+)`/g)].map(([, quote]) => quote!), cells: [cause, operator, remedy], operator: operator! };
});
const matches = (message: string, quote: string) => new RegExp(quote.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*?')).test(message);
/** Returns the first row for a message, as a user reads the table. */
const rowOf = (message: string) => rows.find(({ quotes }) => quotes.some((quote) => matches(message, quote)));

const PHRASES: Readonly<Record<SubmissionFailure['kind'], string>> = {
  passing: 'tries without a limit', lasting: 'tries until the timeout', final: 'fails at once',
};

const SETTINGS: SubmissionSettings = { mode: 'auto', sparkUser: 'spark', podWebhook: true };
const TIMEOUT = 300_000;
const OWN_WEBHOOK = 'Internal error occurred: failed calling webhook "mutate-pod.sparkoperator.k8s.io": failed to call webhook: ';

const statuses = new Set<number>();
/** The failure if the API server rejects a driver. */
function refused(status: number, message: string): SubmissionFailure {
  statuses.add(status);
  return refusalToCreate(new ApiError({ verb: 'create', resource: 'pods' }, status, { message }), 'Pod pi-driver', SETTINGS)!;
}
/** The failure of spark-submit. */
function submitted(pod: Partial<PodView>): SubmissionFailure {
  const outcome = outcomeOf(pod as PodView, TIMEOUT);
  if (outcome.kind !== 'failed') throw new Error(outcome.kind);
  return { reason: outcome.message, kind: outcome.retry };
}
const ended = (message: string, exitCode = 1) => submitted({ terminated: { exitCode, message } } as unknown as PodView);
const executing = (code: number, message: string) => ended(`Failure executing: POST at: https://10.0.0.1/api/v1/namespaces/jobs/services. Message: ${message}. Received status: Status(code=${code})`);
const exception = (text: string) => ended(`Exception in thread "main" ${text}`);
const waiting = (reason: string) => submitterFailure({
  metadata: { name: 'pi-submit' }, phase: 'Pending', obstacle: { reason, passes: reason === 'Unschedulable' }, startTime: '2026-03-01T12:00:00Z',
} as unknown as PodView, TIMEOUT, Date.parse('2026-03-01T12:02:00Z'))!;

/** Failures as the operator makes them. Their kinds are those of the functions that make them, or of the only place that does. */
const CASES: readonly (readonly [name: string, failure: SubmissionFailure])[] = [
  ['a quota', refused(403, 'pods "pi-driver" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=1, limited: pods=1')],
  ['no account', refused(403, 'pods "pi-driver" is forbidden: error looking up service account jobs/etl: serviceaccount "etl" not found')],
  ['no permission', refused(403, 'pods is forbidden: User "system:serviceaccount:spark-operator:operator" cannot create resource "pods"')],
  ['a Pod Security Standard', refused(403, 'pods "pi-driver" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true')],
  ['another webhook that denies with 403', refused(403, 'admission webhook "validation.gatekeeper.sh" denied the request: no')],
  ['another webhook that denies without a status', refused(400, 'admission webhook "policy.example.org" denied the request: no')],
  ["kubeflow's webhook", refused(422, 'Pod "pi-driver" is invalid: metadata.ownerReferences: Only one reference can have Controller set to true')],
  ['an orphaned configuration', ownWebhookAway('the driver is not created: it does not answer', { ...SETTINGS, podWebhook: false })],
  ['its own webhook', refused(500, `${OWN_WEBHOOK}Post "https://spark-operator-webhook.spark-operator.svc:443/mutate": connection refused`)],
  ['a slow webhook', noAnswerToCreate('Pod pi-driver', SETTINGS)],
  ['another webhook away', refused(500, 'Internal error occurred: failed calling webhook "policy.example.org": connection refused')],
  ['too large for the webhook', refused(500, `${OWN_WEBHOOK}status code 413`)],
  ['too large for the API server', refused(413, 'Request entity too large: limit is 3145728')],
  ['a namespace in deletion', refused(403, 'pods "pi-driver" is forbidden: unable to create new content in namespace jobs because it is being terminated')],
  ['a deleted namespace', refused(404, 'namespaces "jobs" not found')],
  ['a previous Pod', { reason: inTheWay('Pod', 'pi-driver', 'leaving'), kind: 'lasting' }],
  ['a Pod of others', { reason: inTheWay('Pod', 'pi-driver', 'foreign'), kind: 'final' }],
  ['no scheduler', { reason: 'the cluster has no podgroups.scheduling.volcano.sh (scheduling.volcano.sh/v1beta1 PodGroup) for spec.batchScheduler', kind: 'lasting' }],
  ['a PodGroup of others', { reason: 'PodGroup spark-pi-pg is there again as often as the operator replaces it', kind: 'lasting' }],
  ['defaults', { reason: 'ConfigMap spark-operator/spark-operator-defaults cannot be used: defaults.yaml: is not YAML', kind: 'passing' }],
  ['a field', submissionFailureOf(new SubmissionError({ field: 'spec.driver.memory', value: '1x', reason: 'is not a size', remedy: 'write 1g' }))!],
  ['an invalid Pod', refused(422, 'Pod "pi-driver" is invalid: dnsConfig.nameservers[0]: Invalid value: "nowhere"')],
  ['spark-submit without an image', waiting('ErrImagePull')],
  ['spark-submit without a node', waiting('Unschedulable')],
  ['spark-submit that is slow', submitted({ reason: 'DeadlineExceeded' })],
  ['spark-submit on a lost node', submitterFailure({ metadata: { name: 'pi-submit' }, phase: 'Running', startTime: '2026-03-01T12:00:00Z' } as unknown as PodView, TIMEOUT, Date.parse('2026-03-01T13:00:00Z'))!],
  ['spark-submit out of memory', submitted({ terminated: { exitCode: 137, reason: 'OOMKilled' } } as unknown as PodView)],
  ['spark-submit by a signal', submitted({ terminated: { exitCode: 143 } } as unknown as PodView)],
  ['spark-submit, evicted', submitted({ reason: 'Evicted' })],
  ['spark-submit without a file', exception('java.io.FileNotFoundException: /opt/app/etl.jar')],
  ['spark-submit without a class', exception('java.lang.ClassNotFoundException: org.example.Main')],
  ['spark-submit with a wrong option', exception('java.lang.IllegalArgumentException: Size must be specified as bytes')],
  ['spark-submit with another exception', exception('java.lang.RuntimeException: something else')],
  ['spark-submit without the API server', exception('io.fabric8.kubernetes.client.KubernetesClientException: An error has occurred.\nCaused by: java.net.ConnectException: Connection refused')],
  ['spark-submit with a busy API server', executing(503, 'the server is busy')],
  ['spark-submit with another answer', executing(401, 'Unauthorized')],
  ['spark-submit without a message', ended('')],
  ['no driver', { reason: 'spark-submit has ended without an error, but there is no Pod pi-driver', kind: 'lasting' }],
  ['a deleted driver', { reason: 'Pod pi-driver is gone', kind: 'lasting' }],
  ['an incomplete driver', { reason: 'Pod pi-driver was left without its ConfigMap spark-drv-1 and is created again', kind: 'lasting' }],
];

test.each(CASES)('%s: the operator does what its row promises', (_, { reason, kind }) => {
  expect({ reason, operator: rowOf(reason)?.operator }).toEqual({ reason, operator: expect.stringContaining(PHRASES[kind]) });
});

test('each row is about a failure of the operator, and promises nothing else', () => {
  const wrong = rows.map((row) => {
    const kinds = CASES.filter(([, { reason }]) => rowOf(reason) === row).map(([, { kind }]) => kind);
    return {
      quotes: row.quotes,
      promised: Object.values(PHRASES).filter((phrase) => row.operator.includes(phrase)),
      done: Object.values(PHRASES).filter((phrase) => kinds.some((kind) => PHRASES[kind] === phrase)),
    };
  }).filter(({ promised, done }) => done.length === 0 || promised.join() !== done.join());
  expect(wrong).toEqual([]);
  expect(rows.filter(({ cells }) => cells.length !== 3 || cells.some((cell) => !cell?.trim()))).toEqual([]);
});

test('each quote is in a message of a case', () => {
  const unused = rows.flatMap(({ quotes }) => quotes).filter((quote) => !CASES.some(([, { reason }]) => matches(reason, quote)));
  expect(unused).toEqual([]);
});

test('each status that the operator distinguishes has a case', () => {
  const [, body] = /^function kindOf([^]*?)^}/m.exec(read('src/operator/driver/refusal.ts'))!;
  const known = [...body!.matchAll(/case (\d+):/g)].map(([, status]) => Number(status));
  expect(known.length).toBeGreaterThan(5);
  expect([...statuses].sort()).toEqual(known.sort());
});

test('each failure in the source has a row', () => {
  const found = globSync(['src/operator/driver/*.ts', 'src/operator/kinds/spark-application/**/*.ts'], { cwd: root }).flatMap((path) => {
    const { file, textsOf } = sourceTexts(path, read(path));
    const texts: string[] = [];
    each(file, (node) => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'failure') texts.push(...textsOf(node.arguments[0]!));
      if (!ts.isObjectLiteralExpression(node)) return;
      const [reason, kind] = ['reason', 'kind'].map((name) => node.properties.find((property) => property.name?.getText() === name));
      const expression = reason && (ts.isPropertyAssignment(reason) ? reason.initializer : ts.isShorthandPropertyAssignment(reason) ? reason.name : undefined);
      if (!expression || !kind || !(ts.isShorthandPropertyAssignment(kind) || /'(?:final|lasting|passing)'|retry/.test(kind.getText()))) return;
      texts.push(...textsOf(expression));
    });
    return texts;
  });
  // Around the messages of the API server, of Spark and of the webhook, which have cases.
  const around = /^the API server does not create (?:…|a Pod): …/;
  const messages = [...new Set(found)].filter((text) => text !== '…' && !around.test(text));
  expect(messages.length).toBeGreaterThan(10);
  expect(messages.filter((text) => rowOf(text) === undefined)).toEqual([]);
});

test('the messages of webhooks are those of the API server', () => {
  expect(webhookFailure({ status: 500, serverMessage: `${OWN_WEBHOOK}connection refused` })).toContain('has to go, cannot be called');
});
