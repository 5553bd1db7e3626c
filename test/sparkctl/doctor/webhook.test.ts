/* Whether the API server can ask the webhook. */
import { DAY, fresh, HOUR } from '../../helpers/certificates';
import { synthesized } from '../../constructs/operator-objects';
import type { SparkOperatorProps } from '../../../src';
import { ApiError, NetworkError } from '../../../src/kube/errors';
import { issueAuthority, issueCertificate } from '../../../src/kube/x509/x509';
import { installationFindings } from '../../../src/sparkctl/doctor/installation-findings';
import { probeFinding } from '../../../src/sparkctl/doctor/probe';
import type { Reading } from '../../../src/sparkctl/doctor/look';
import { webhookFindings, type WebhookFacts } from '../../../src/sparkctl/doctor/webhook';
import { installationIn } from '../../../src/sparkctl/setup/installation';

const NOW = Date.now();
const found = <T>(value: T): Reading<T> => ({ kind: 'found', value });
const MISSING: Reading<never> = { kind: 'missing' };
const HOST = 'spark-operator-webhook-svc.spark-operator.svc';

const installation = installationIn(synthesized({ webhook: {} }).find(({ kind }) => kind === 'Deployment'))!;
const authority = issueAuthority('CA', fresh(10 * DAY, NOW));
const stranger = issueAuthority('CA', fresh(10 * DAY, NOW));
const leafFor = (host: string, lifetime = 10 * DAY, now = NOW) => issueCertificate(authority, { commonName: 'webhook' }, [host], fresh(lifetime, now)).certificate.toString();
const base64 = (text: string) => Buffer.from(text).toString('base64');
const configuration = (caBundle: string | undefined, failurePolicy = 'Ignore'): Reading<any> => found({ metadata: { name: 'w' }, webhooks: [{ name: 'x', failurePolicy, clientConfig: { caBundle } }] });

const WELL: WebhookFacts = {
  configurations: { MutatingWebhookConfiguration: configuration(base64(authority.certificate.toString()), 'Fail'), ValidatingWebhookConfiguration: configuration(base64(authority.certificate.toString())) },
  slices: found([{ metadata: { name: 's' }, endpoints: [{ conditions: { ready: true } }, { conditions: { ready: false } }] }]),
  secret: found({ metadata: { name: 'certs' }, data: { 'server-cert.pem': base64(leafFor(HOST)) } }),
};

const withBundle = (bundle: string | undefined): WebhookFacts => ({ ...WELL, configurations: { ...WELL.configurations, ValidatingWebhookConfiguration: configuration(bundle) } });
const withLeaf = (pem: string): WebhookFacts => ({ ...WELL, secret: found({ metadata: { name: 'certs' }, data: { 'server-cert.pem': base64(pem) } }) });

test('all is well', () => {
  expect(webhookFindings(installation, WELL, NOW).map(({ level, message }) => [level, message])).toEqual([
    ['ok', expect.stringMatching(/^MutatingWebhookConfiguration spark-operator-spark-operator is there; its CA is valid for another (10d|9d23h); while it is out of reach what it is asked about is refused$/)],
    ['ok', expect.stringMatching(/while it is out of reach everything is taken$/)],
    ['ok', 'Service spark-operator/spark-operator-webhook-svc leads to 1 pod'],
    ['ok', expect.stringMatching(/^the certificate of the webhook is trusted, and valid for another/)],
  ]);
});

test.each<[string, WebhookFacts, string, string]>([
  ['no configuration', { ...WELL, configurations: { ...WELL.configurations, ValidatingWebhookConfiguration: MISSING } }, 'error', 'there is no ValidatingWebhookConfiguration spark-operator-spark-operator'],
  ['no CA', withBundle(undefined), 'error', 'names no CA, so that the API server trusts nobody'],
  ['a CA that is none', withBundle(base64('hello')), 'error', 'names a CA that is no certificate'],
  ['a CA that is over', withBundle(base64(issueAuthority('old', fresh(-HOUR / 2, NOW)).certificate.toString())), 'error', 'its CA ended'],
  ['a CA that ends soon', withBundle(base64(issueAuthority('old', fresh(HOUR / 20, NOW)).certificate.toString())), 'warning', 'its CA ends in'],
  ['nobody who serves', { ...WELL, slices: found([]) }, 'error', 'Service spark-operator/spark-operator-webhook-svc leads nowhere'],
  ['another host', withLeaf(leafFor('example.org')), 'error', `its certificate is not for ${HOST}`],
  ['another CA', { ...WELL, configurations: { ...WELL.configurations, MutatingWebhookConfiguration: configuration(base64(stranger.certificate.toString())) } }, 'error', 'is not signed by the CA that the API server is told to trust'],
  ['a certificate that is over', withLeaf(leafFor(HOST, -HOUR / 2)), 'error', 'its certificate ended'],
])('%s', (_, facts, level, message) => {
  const wrong = webhookFindings(installation, facts, NOW).filter((finding) => finding.level !== 'ok');
  expect(wrong).toEqual([expect.objectContaining({ check: 'Webhook', level, message: expect.stringContaining(message), remedy: expect.any(String) })]);
});

test('two CAs while one replaces the other: the one that is valid is enough', () => {
  const both = `${issueAuthority('old', fresh(-HOUR / 2, NOW)).certificate.toString()}${authority.certificate.toString()}`;
  expect(webhookFindings(installation, withBundle(base64(both)), NOW).every(({ level }) => level === 'ok')).toBe(true);
});

describe('where a mistake is tried', () => {
  const SELECTOR: SparkOperatorProps = { webhook: {}, namespaceSelector: { spark: 'yes' } };
  const namespaceOf = (name: string, labels: object = {}): any => ({ metadata: { name, labels } });
  const LABELLED = [namespaceOf('etl'), namespaceOf('team')];
  const DENIED = new ApiError({ verb: 'create', resource: 'sparkapplications' }, 400, { message: 'admission webhook "validate-sparkapplication.sparkoperator.k8s.io" denied the request: x' });
  const nothing = async () => { throw new ApiError({ verb: 'get', resource: 'x' }, 404); };

  /** What is found of the dry run, with a webhook that is asked about all that it should be. @param labelled the namespaces with the labels, or why they cannot be seen */
  async function probed(props: SparkOperatorProps, namespaces: readonly string[], labelled: readonly object[] | Error): Promise<unknown> {
    const tried: string[] = [];
    const client: any = {
      get: nothing,
      request: nothing,
      async *list({ plural }: { readonly plural: string }, { labelSelector }: { readonly labelSelector?: string }) {
        if (plural !== 'namespaces') return;
        expect(labelSelector).toBe('spark=yes');
        if (labelled instanceof Error) throw labelled;
        yield* labelled;
      },
      create: async ({ plural }: { readonly plural: string }, { metadata: { namespace } }: { readonly metadata: { readonly namespace: string } }) => {
        if (plural === 'sparkapplications') {
          tried.push(namespace);
          throw DENIED;
        }
        return nothing();
      },
    };
    const operator = installationIn(synthesized(props).find(({ kind }) => kind === 'Deployment'))!;
    const findings = await installationFindings({ client, now: NOW, signal: new AbortController().signal, version: '1.2.3' } as any, operator, namespaces);
    const [finding] = findings.filter(({ message }) => message.includes('dry run'));
    return [...tried, finding?.level];
  }

  test.each<[string, SparkOperatorProps, readonly string[], readonly object[] | Error, readonly unknown[]]>([
    ['among those that are looked at', SELECTOR, ['default', 'team'], LABELLED, ['team', 'ok']],
    ['in another one, if none of those has them', SELECTOR, ['default'], LABELLED, ['etl', 'ok']],
    ['nowhere, if there is none', SELECTOR, ['default'], [], ['warning']],
    ['nowhere, if they cannot be seen', SELECTOR, ['default'], new ApiError({ verb: 'list', resource: 'namespaces' }, 403), ['not allowed']],
    ['in one that is named besides', { ...SELECTOR, jobNamespaces: ['jobs'] }, ['default', 'jobs'], [], ['jobs', 'ok']],
    ['in any, where all are selected', { webhook: {}, allNamespaces: true }, ['default'], [], ['default', 'ok']],
    ['in one that is named, where none are selected', { webhook: {}, jobNamespaces: ['jobs'] }, ['default'], [], ['jobs', 'ok']],
  ])('%s', async (_, props, namespaces, labelled, expected) => {
    expect(await probed(props, namespaces, labelled)).toEqual(expected);
  });
});

describe('a mistake that is tried', () => {
  const call = { verb: 'create', resource: 'sparkapplications', namespace: 'jobs' };
  const error = (status: number, message: string) => ({ isTaken: false as const, error: new ApiError(call, status, { message }) });
  test.each([
    [error(400, 'admission webhook "validate-sparkapplication.sparkoperator.k8s.io" denied the request: spec.mainApplicationFile …'), 'ok', 'it refuses a mistake in jobs (dry run)'],
    [error(400, 'admission webhook "validate-sparkapplication-labelled.sparkoperator.k8s.io" denied the request: x'), 'ok', 'it refuses a mistake'],
    [{ isTaken: true as const }, 'error', 'a mistake was taken in jobs'],
    [error(500, 'failed calling webhook "validate-sparkapplication.sparkoperator.k8s.io": x509: certificate signed by unknown authority'), 'error', 'the API server does not reach it: failed calling webhook'],
    [error(403, 'sparkapplications.sparkoperator.k8s.io is forbidden: User "jane" cannot create resource "sparkapplications"'), 'not allowed', 'you may not try a mistake in jobs'],
    [error(403, 'admission webhook "images.example.org" denied the request: no'), 'warning', 'something else than the webhook refused'],
    [error(404, 'namespaces "jobs" not found'), 'warning', 'namespaces "jobs" not found'],
    [{ isTaken: false as const, error: new NetworkError(call, 'TIMEOUT', 'no answer') }, 'warning', 'had no answer'],
  ])('%#: %j', (result, level, message) => {
    expect(probeFinding(result, 'jobs', 'look')).toMatchObject({ level, message: expect.stringContaining(message) });
  });
});
