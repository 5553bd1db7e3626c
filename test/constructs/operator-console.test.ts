import { Testing } from 'cdk8s';
import { addConsole } from '../../src/constructs/_operator-console';
import type { OperatorConsole } from '../../src/constructs/operator-console';
import { parseConsole } from '../../src/operator/console-process';

// It is in the bundle only.
jest.mock('console-page', () => ({ script: '', style: '' }), { virtual: true });
jest.mock('../../src/kube/kube-config', () => ({}));

function synthesized(console: OperatorConsole, { isClusterWide = false, later = [] as string[] } = {}): any[] {
  const chart = Testing.chart();
  const jobNamespaces = isClusterWide ? [] : ['team-a'];
  addConsole(chart, console, { namespace: 'spark-operator', jobNamespaces, isClusterWide }, { nodeSelector: { zone: 'a' } });
  jobNamespaces.push(...later);
  return Testing.synth(chart);
}

const find = (objects: any[], kind: string, namespace?: string) => objects.find((object) => object.kind === kind && object.metadata.namespace === namespace);
const containerOf = (objects: any[]) => find(objects, 'Deployment', 'spark-operator').spec.template.spec.containers[0];

test('in each job namespace it may read what it shows, and nowhere change anything', () => {
  const objects = synthesized({});
  const rules = objects.filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole').flatMap((role) => role.rules);
  expect(new Set(find(objects, 'Role', 'team-a').rules.flatMap(({ verbs }: any) => verbs))).toEqual(new Set(['get', 'list', 'watch']));
  expect(rules.filter(({ verbs }) => verbs.includes('create')).map(({ resources }) => resources)).toEqual([['tokenreviews'], ['subjectaccessreviews']]);
  expect(rules.flatMap(({ resources }) => resources)).not.toContain('secrets');
});

test('the operator of a whole cluster has a console of a whole cluster', () => {
  const objects = synthesized({}, { isClusterWide: true });
  expect(find(objects, 'Role', 'team-a')).toBeUndefined();
  expect(find(objects, 'ClusterRole').rules).toContainEqual(expect.objectContaining({ resources: ['pods/log'], verbs: ['get'] }));
  expect(containerOf(objects).args).toEqual(['console', '--port=8088']);
});

test('its command line is one that the program understands', () => {
  const { args } = containerOf(synthesized({ clusterName: 'production', tlsSecretName: 'console-tls' }, { later: ['team-b'] }));
  expect(parseConsole(args.slice(1), (path) => `text of ${path}`)).toEqual({
    cluster: 'production', namespaces: ['team-a', 'team-b'],
    listen: { port: 8088, tls: { cert: 'text of /etc/spark-operator/console/tls.crt', key: 'text of /etc/spark-operator/console/tls.key' } },
  });
  expect(() => parseConsole(['--nonsense'])).toThrow(/Unknown option '--nonsense'/);
  expect(() => parseConsole(['--tls-cert-file=a'], () => '')).toThrow('belong together');
});

test('it is served by HTTP behind something with TLS, or by HTTPS with a certificate', () => {
  expect(find(synthesized({}), 'Service', 'spark-operator').spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'console', protocol: 'TCP' }]);
  const secured = synthesized({ tlsSecretName: 'console-tls' });
  expect(find(secured, 'Service', 'spark-operator').spec.ports).toMatchObject([{ name: 'https', port: 443 }]);
  expect(containerOf(secured).readinessProbe.httpGet.scheme).toBe('HTTPS');
});

test('its pods meet the restricted standard, and go where those of the operator go', () => {
  const { spec } = find(synthesized({}), 'Deployment', 'spark-operator').spec.template;
  expect(spec).toMatchObject({ nodeSelector: { zone: 'a' }, securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } });
  expect(spec.containers[0].securityContext).toEqual({ runAsNonRoot: true, readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, privileged: false, capabilities: { drop: ['ALL'] } });
});
