/*
 * The console as SparkOperator deploys it: its process, with its own arguments and the rights of its service account, shows everybody what they may read, and no more. There is no node, so that
 * there are no logs.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chart } from 'cdk8s';
import { ApiServer } from '../helpers/api-server';
import { Population } from './helpers/population';
import { expectJustWhatIsNeeded } from './helpers/rights';
import { Visitor } from '../console/helpers/visitor';
import { install, type Installation } from '../helpers/installation';
import { apply, kubectl, tokenOf } from '../helpers/kubectl';
import { OperatorProcess } from '../helpers/operator-process';
import { fresh } from '../helpers/certificates';
import { AccessSubject, SparkJobNamespace, type SparkOperatorProps } from '../../src';
import { issueAuthority, issueCertificate } from '../../src/kube/x509/x509';

const LABEL = 'cdk8s-spark-operator.test/console';
const MOUNTED = '/etc/spark-operator/console';

describe.each<[string, string, SparkOperatorProps]>([
  ['for namespaces by name', 'console-named', { jobNamespaces: [], console: { clusterName: 'production' } }],
  ['for the whole cluster, with a certificate', 'console-labelled', {
    jobNamespaces: [], namespaceSelector: { [LABEL]: 'yes' }, console: { clusterName: 'production', tlsSecretName: 'console-tls' },
  }],
])('a console %s', (_, name, props) => {
  const api = new ApiServer();
  const others = `${name}-others`;
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  let installation: Installation;
  let jobs: string;
  let running: OperatorProcess;
  let come: (account?: string) => Promise<Visitor>;

  beforeAll(async () => {
    installation = await install(name, props, (operator) => {
      const viewers = [AccessSubject.serviceAccount(`${name}-jobs`, 'reader')];
      new SparkJobNamespace(Chart.of(operator), 'jobs', { name: `${name}-jobs`, operator, viewers });
      new SparkJobNamespace(Chart.of(operator), 'others', { name: others, operator });
    });
    jobs = installation.jobs;
    await apply([
      ...['reader', 'outsider', 'boss'].map((account) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace: jobs } })),
      ...[jobs, others].map((namespace) => ({
        apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name: 'boss', namespace },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' }, subjects: [{ kind: 'ServiceAccount', name: 'boss', namespace: jobs }],
      })),
    ]);
    await new Population(api, jobs).addStory('spark-pi', 'Driver failed');
    await new Population(api, jobs).addSchedule('nightly', '0 3 * * *');
    await new Population(api, others).create('secret');

    const { args, kubeconfig } = installation.console!;
    const ca = args.some((arg) => arg.includes(MOUNTED)) ? certificateIn(folder) : undefined;
    // Of its arguments, only where it listens and where its files are cannot be as in a pod.
    running = new OperatorProcess([...args.map((arg) => arg.replace(MOUNTED, folder)), '--port=0', `--kubeconfig=${kubeconfig}`]);
    const { port } = await running.logged(({ msg }) => msg === 'serving the console');
    come = async (account) => new Visitor(port, account === undefined ? {} : { authorization: `Bearer ${await tokenOf(jobs, account)}` }, ca);
  });

  afterAll(async () => {
    await running?.stop();
    await kubectl(['delete', 'namespace', others, '--ignore-not-found', '--wait=false']);
    await installation?.remove();
    rmSync(folder, { recursive: true });
    api.close();
  });

  test('asks for a token, and shows nothing without one', async () => {
    const nobody = await come();
    expect(await nobody.get('/healthz')).toMatchObject({ status: 200, text: 'ok\n' });
    expect(await nobody.get('/')).toMatchObject({ status: 200, headers: { 'content-type': expect.stringContaining('text/html') } });
    for (const path of ['/api/session', '/api/rows', `/api/applications/${jobs}/spark-pi`]) {
      expect(await nobody.get(path)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    }
  });

  test('shows a user with rights in one namespace only this one', async () => {
    const reader = await come('reader');
    expect(JSON.parse((await reader.get('/api/session')).text)).toMatchObject({ cluster: 'production', readOnly: true, user: `system:serviceaccount:${jobs}:reader` });
    const shown = await reader.applications();
    expect(shown).toContain(`${jobs}/spark-pi`);
    expect(shown.filter((each) => !each.startsWith(`${jobs}/`))).toEqual([]);
    const { pods, events, hidden } = JSON.parse((await reader.get(`/api/applications/${jobs}/spark-pi`)).text);
    expect(pods.map((pod: any) => pod.name)).toEqual(['spark-pi-driver', 'spark-pi-exec-1', 'spark-pi-exec-2', 'spark-pi-exec-3', 'spark-pi-exec-4']);
    expect(events.map(({ reason }: any) => reason)).toContain('SparkDriverFailed');
    // The rights of `viewers` cover the objects that show an application's progress.
    expect(hidden).toContain(`list configmaps in ${jobs}`);
    expect(await reader.get(`/api/applications/${others}/secret`)).toMatchObject({ status: 403, text: expect.stringContaining('reader is not allowed to get sparkapplications.sparkoperator.k8s.io secret') });
  });

  test('shows nothing to a user without rights, and changes nothing for any user', async () => {
    const outsider = await come('outsider');
    expect(await outsider.applications()).toEqual([]);
    expect((await outsider.get(`/api/applications/${jobs}/spark-pi`)).status).toBe(403);
    const boss = await come('boss');
    expect(await boss.post(`/api/applications/${jobs}/spark-pi/delete`)).toMatchObject({ status: 403, text: expect.stringContaining('read-only') });
  });

  test('has just the rights that it needs', async () => {
    const boss = await come('boss');
    expect(await boss.applications()).toEqual(expect.arrayContaining([`${jobs}/spark-pi`, `${others}/secret`]));
    expect(JSON.parse((await boss.get(`/api/applications/${jobs}/spark-pi`)).text).hidden).toEqual([]);
    // Without a node the API server has no log to give; that it was allowed is in its audit log.
    expect((await boss.get(`/api/applications/${jobs}/spark-pi/log?pod=spark-pi-driver`)).status).not.toBe(403);
    // Nor is there a metrics server.
    expect(await boss.get(`/api/applications/${jobs}/spark-pi/usage`)).toMatchObject({ status: 200, text: '{}' });
    const follower = await boss.follow();
    await follower.until((rows) => rows.noOperator !== '');
    expect(follower.rows.noOperator).toBe(`there is no Lease ${installation.namespace}/spark-operator-controller-lock`);
    follower.leave();
    await expectJustWhatIsNeeded(installation, [], 'spark-operator-console');
  });
});

/** Writes what the Secret would have. @returns the CA */
function certificateIn(folder: string): string {
  const authority = issueAuthority('a CA', fresh());
  const { certificate, key } = issueCertificate(authority, { commonName: 'the console' }, ['localhost'], fresh());
  writeFileSync(join(folder, 'tls.crt'), certificate.toString());
  writeFileSync(join(folder, 'tls.key'), key.export({ type: 'pkcs8', format: 'pem' }));
  return authority.certificate.toString();
}
