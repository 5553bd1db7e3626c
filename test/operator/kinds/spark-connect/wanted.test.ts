/* The Service of a server, and the routes to its web UI. */
import type { OwnedSettings } from '../../../../src/operator/owned/settings';
import type { SparkConnect } from '../../../../src/model/spark-connect';
import { wantedOf } from '../../../../src/operator/kinds/spark-connect/wanted';
import { SPEC } from './operator';

const SETTINGS: OwnedSettings = { uiService: true, driverPodDisruptionBudget: false, ingress: {} };
const connect = (spec: object = {}, status?: object) => ({
  metadata: { name: 'nb', namespace: 'jobs', uid: 'connect' }, spec: { ...SPEC, ...spec }, status,
}) as SparkConnect;
const WITH_URL: OwnedSettings = { ...SETTINGS, ingress: { urlFormat: 'example.org/{{$appNamespace}}/{{$appName}}', className: 'nginx' } };

test('by default one Service, with the ports that kubeflow\'s has', () => {
  const { service, ...others } = wantedOf(connect(), SETTINGS);
  expect(others).toEqual({ uiService: undefined });
  expect(service).toMatchObject({ metadata: { name: 'nb-server', namespace: 'jobs' }, spec: { type: 'ClusterIP' } });
  expect(service.spec.ports).toEqual([
    { name: 'driver-rpc', port: 7078, targetPort: 7078, appProtocol: 'tcp' },
    { name: 'blockmanager', port: 7079, targetPort: 7079, appProtocol: 'tcp' },
    { name: 'web-ui', port: 4040, targetPort: 4040, appProtocol: 'http' },
    { name: 'spark-connect-server', port: 15002, targetPort: 15002, appProtocol: 'grpc' },
  ]);
  expect(service.metadata.labels).not.toHaveProperty(['spark-app-selector']);
});

test('the user\'s settings of the Service apply, except for selector and Spark\'s ports', () => {
  const { service } = wantedOf(connect({
    sparkConf: { 'spark.ui.port': '5050' },
    server: {
      service: {
        metadata: { name: 'own', labels: { 'team': 'a', 'sparkoperator.k8s.io/connect-name': 'other' }, annotations: { a: 'b' } },
        spec: {
          type: 'NodePort', sessionAffinity: 'ClientIP', selector: { app: 'other' }, ports: [
            { name: 'spark-connect-server', port: 1, nodePort: 30_002 }, { name: 'more', port: 99 },
          ],
        },
      },
    },
  }), SETTINGS);
  expect(service).toMatchObject({
    metadata: { name: 'own', labels: { 'team': 'a', 'sparkoperator.k8s.io/connect-name': 'nb' }, annotations: { a: 'b' } },
    spec: {
      type: 'NodePort', sessionAffinity: 'ClientIP', selector: {
        'spark-role': 'connect-server', 'sparkoperator.k8s.io/connect-name': 'nb',
      },
    },
  });
  expect(service.spec.selector).not.toHaveProperty('app');
  expect(service.spec.ports.map(({ name, port, targetPort }) => [name, port, targetPort])).toEqual([
    ['driver-rpc', 7078, 7078], ['blockmanager', 7079, 7079], ['web-ui', 4040, 5050], ['spark-connect-server', 15002, 15002],
    ['more', 99, undefined],
  ]);
  expect(service.spec.ports[3]).toMatchObject({ nodePort: 30_002 });
});

test('with a URL the web UI has an Ingress, or an HTTPRoute, to the port of that Service', () => {
  const { route, address } = wantedOf(connect(), WITH_URL);
  expect(address).toBe('http://example.org/jobs/nb');
  expect(route).toMatchObject({
    kind: 'Ingress', metadata: { name: 'nb-connect-ui-ingress' }, spec: {
      ingressClassName: 'nginx', rules: [
        { http: { paths: [{ backend: { service: { name: 'nb-server', port: { number: 4040 } } } }] } },
      ],
    },
  });
  const byGateway = wantedOf(connect(), { ...WITH_URL, ingress: { ...WITH_URL.ingress, gateways: [{ name: 'gw' }] } });
  expect(byGateway.route).toMatchObject({
    kind: 'HTTPRoute', metadata: { name: 'nb-connect-ui-route' }, spec: {
      rules: [{ backendRefs: [{ name: 'nb-server', port: 4040 }] }],
    },
  });
});

test('a separate Service for the web UI, if the user configures one', () => {
  const { uiService, route } = wantedOf(connect({
    sparkUIOptions: { servicePort: 80, serviceType: 'LoadBalancer', ingressTLS: [{ hosts: ['example.org'] }] },
  }), WITH_URL);
  expect(uiService).toMatchObject({
    metadata: { name: 'nb-connect-ui-svc' }, spec: { type: 'LoadBalancer', ports: [{ port: 80, targetPort: 4040 }] },
  });
  expect(route).toMatchObject({
    spec: {
      tls: [{ hosts: ['example.org'] }], rules: [
        { http: { paths: [{ backend: { service: { name: 'nb-connect-ui-svc', port: { number: 80 } } } }] } },
      ],
    },
  });
});

test('the Service of the web UI has another name if that of the server has its usual one', () => {
  const { service, uiService } = wantedOf(
    connect({ server: { service: { metadata: { name: 'nb-connect-ui-svc' } } }, sparkUIOptions: { servicePort: 80 } }), SETTINGS,
  );
  expect([service, uiService!].map(({ metadata: { name } }) => name)).toEqual(['nb-connect-ui-svc', 'nb-connect-web-ui-svc']);
});

test.each([
  ['it is suspended', connect({ suspend: true })],
  ['it has failed', connect({}, { state: 'Failed' })],
  ['there is no web UI', connect({ sparkConf: { 'spark.ui.enabled': 'false' } })],
])('only the Service stays when %s', (_, given) => {
  expect(Object.entries(wantedOf(given, WITH_URL)).filter(([, object]) => object !== undefined).map(([name]) => name)).toEqual(['service']);
});
