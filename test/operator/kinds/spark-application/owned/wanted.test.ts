import { application, SETTINGS, type Changes } from './helpers';
import { objectName } from '../../../../../src/api/object-name';
import { ApplicationState } from '../../../../../src/api/states';
import { webUIUrlFormat, type OwnedSettings } from '../../../../../src/operator/owned/settings';
import { hasDriver, wantedOf } from '../../../../../src/operator/kinds/spark-application/owned/wanted';

const objectsOf = (changes: Changes = {}, settings: Partial<OwnedSettings> = {}) => (
  wantedOf(application(changes), { ...SETTINGS, ...settings }).objects as readonly any[]
);
const objectOf = (kind: string, changes: Changes = {}, settings: Partial<OwnedSettings> = {}) => (
  objectsOf(changes, settings).find((object) => object.kind === kind)
);
const withUrl = (urlFormat: string, more: OwnedSettings['ingress'] = {}): Partial<OwnedSettings> => ({ ingress: { urlFormat, ...more } });

const PORTS = {
  spec: { driverIngressOptions: [{ servicePort: 8085, servicePortName: 'status', ingressURLFormat: 'status.example.org/{{$appName}}' }] },
};

describe('the Service of the web UI', () => {
  test('is the only object by default', () => {
    expect(objectsOf()).toEqual([{
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'pi-ui-svc',
        namespace: 'jobs',
        labels: {
          'sparkoperator.k8s.io/app-name': 'pi',
          'sparkoperator.k8s.io/app-uid': 'uid-pi',
          'sparkoperator.k8s.io/created-by-spark-operator': 'true',
          'sparkoperator.k8s.io/submission-id': 's-1',
        },
        ownerReferences: [
          { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid: 'uid-pi', controller: true },
        ],
      },
      spec: {
        type: 'ClusterIP',
        selector: { 'sparkoperator.k8s.io/app-name': 'pi', 'spark-role': 'driver' },
        ports: [{ name: 'spark-driver-ui-port', port: 4040, targetPort: 4040 }],
      },
    }]);
  });

  test.each<[string, Changes['spec'], object]>([
    ['the port of the UI', { sparkConf: { 'spark.ui.port': '4041' } }, { port: 4041, targetPort: 4041 }],
    ['its own port', { sparkConf: { 'spark.ui.port': '4041' }, sparkUIOptions: { servicePort: 80 } }, { port: 80, targetPort: 4041 }],
    ['a name', { sparkUIOptions: { servicePortName: 'http' } }, { name: 'http', port: 4040 }],
  ])('has %s', (_, spec, expected) => {
    expect(objectOf('Service', { spec }).spec.ports).toEqual([expect.objectContaining(expected)]);
  });

  test('has the type, the annotations and the labels of the application, which do not replace the operator\'s', () => {
    const service = objectOf('Service', {
      spec: {
        sparkUIOptions: {
          serviceType: 'NodePort' as never, serviceAnnotations: { a: '1' }, serviceLabels: {
            'l': '2', 'sparkoperator.k8s.io/app-name': 'other',
          },
        },
      },
    });

    expect(service.spec.type).toBe('NodePort');
    expect(service.metadata.annotations).toEqual({ a: '1' });
    expect(service.metadata.labels).toMatchObject({
      'l': '2', 'sparkoperator.k8s.io/app-name': 'pi', 'sparkoperator.k8s.io/created-by-spark-operator': 'true',
    });
  });

  test.each<[string, Changes, Partial<OwnedSettings>, string[]]>([
    ['the operator creates none', {}, { uiService: false }, []],
    ['there is no web UI', { spec: { sparkConf: { 'spark.ui.enabled': 'false' } } }, {}, []],
    ['Spark chooses the port', { spec: { sparkConf: { 'spark.ui.port': '0' } } }, {}, [
      'there is no Service for the web UI: spec.sparkConf[spark.ui.port] = 0 lets Spark choose a port that the operator does not know; write a number, such as 4040',
    ]],
  ])('does not exist, nor an Ingress, if %s', (_, changes, settings, sentences) => {
    const wanted = wantedOf(application(changes), { ...SETTINGS, ...withUrl('{{$appName}}.example.org'), ...settings });

    expect(wanted).toEqual({ objects: [], withoutEffect: sentences });
  });
});

describe('the Ingress of the web UI', () => {
  test('leads a host to the Service', () => {
    expect(objectOf('Ingress', {}, withUrl('{{$appName}}.{{$appNamespace}}.example.org', { className: 'nginx' }))).toMatchObject({
      metadata: { name: 'pi-ui-ingress', labels: { 'sparkoperator.k8s.io/app-uid': 'uid-pi' } },
      spec: {
        ingressClassName: 'nginx',
        rules: [{
          host: 'pi.jobs.example.org', http: {
            paths: [{ path: '/', pathType: 'ImplementationSpecific', backend: { service: { name: 'pi-ui-svc', port: { number: 4040 } } } }],
          },
        }],
      },
    });
    expect(objectOf('Ingress', {}, withUrl('{{$appName}}.example.org')).metadata.annotations).toBeUndefined();
  });

  const NGINX = 'nginx.ingress.kubernetes.io/rewrite-target';

  test.each<[string, Changes['spec'], OwnedSettings['ingress'], { path: string; type: string; annotations: object | undefined }]>([
    ['by ingress-nginx, without other settings', {}, {}, {
      path: '/pi(/|$)(.*)', type: 'ImplementationSpecific', annotations: { [NGINX]: '/$2' },
    }],
    ['beside other annotations of the operator', {}, { annotations: { a: '1' } }, {
      path: '/pi(/|$)(.*)', type: 'ImplementationSpecific', annotations: { a: '1', [NGINX]: '/$2' },
    }],
    ['the annotations of the application replace them', {
      sparkUIOptions: { ingressAnnotations: { b: '2' } },
    }, { annotations: { a: '1' } }, {
      path: '/pi(/|$)(.*)', type: 'ImplementationSpecific', annotations: { b: '2', [NGINX]: '/$2' },
    }],
    ['a target of the application stays', { sparkUIOptions: { ingressAnnotations: { [NGINX]: '/mine/$2' } } }, {}, {
      path: '/pi(/|$)(.*)', type: 'ImplementationSpecific', annotations: { [NGINX]: '/mine/$2' },
    }],
    ['an empty target means another controller', {
      sparkUIOptions: { ingressAnnotations: { [NGINX]: '', 'haproxy.org/path-rewrite': '/pi/(.*) /\\1' } },
    }, {}, {
      path: '/pi', type: 'Prefix', annotations: { 'haproxy.org/path-rewrite': '/pi/(.*) /\\1' },
    }],
    ['the operator\'s empty target too, even if the application has annotations', {
      sparkUIOptions: { ingressAnnotations: { b: '2' } },
    }, { annotations: { [NGINX]: '' } }, {
      path: '/pi', type: 'Prefix', annotations: { b: '2' },
    }],
    ['no annotations remain without others', {}, { annotations: { [NGINX]: '' } }, { path: '/pi', type: 'Prefix', annotations: undefined }],
  ])('removes a path: %s', (_, spec, ingress, expected) => {
    const { metadata, spec: { rules } } = objectOf('Ingress', { spec }, withUrl('example.org/{{$appName}}', ingress));
    const [{ path, pathType }] = rules[0].http.paths;

    expect({ path, type: pathType, annotations: metadata.annotations }).toEqual(expected);
  });

  test('has the TLS of the application, or else of the operator, and then an https URL', () => {
    const [ours, theirs] = [[{ secretName: 'operator' }], [{ hosts: ['example.org'], secretName: 'application' }]];
    const url = withUrl('example.org/{{$appName}}', { tls: ours });

    expect(objectOf('Ingress', {}, url).spec.tls).toEqual(ours);
    expect(objectOf('Ingress', { spec: { sparkUIOptions: { ingressTLS: theirs } } }, url).spec.tls).toEqual(theirs);
    expect(wantedOf(application(), { ...SETTINGS, ...url }).webUI!.address).toBe('https://example.org/pi');
    expect(wantedOf(application(), { ...SETTINGS, ...withUrl('example.org/{{$appName}}') }).webUI!.address).toBe('http://example.org/pi');
  });
});

describe('known failure 20: an HTTPRoute in place of an Ingress', () => {
  const gateways = [{ name: 'public', namespace: 'gateways', sectionName: 'https' }];

  test('removes a path by itself', () => {
    const objects = objectsOf(
      { spec: { sparkUIOptions: { ingressTLS: [{ secretName: 's' }] } } }, withUrl('https://example.org/{{$appId}}', { gateways }),
    );

    expect(objects.map(({ kind }) => kind)).toEqual(['Service', 'HTTPRoute']);
    expect(objects[1]).toMatchObject({ apiVersion: 'gateway.networking.k8s.io/v1', metadata: { name: 'pi-ui-route' } });
    expect(objects[1].spec).toEqual({
      parentRefs: gateways,
      hostnames: ['example.org'],
      rules: [{
        matches: [{ path: { type: 'PathPrefix', value: '/spark-1' } }],
        filters: [{ type: 'URLRewrite', urlRewrite: { path: { type: 'ReplacePrefixMatch', replacePrefixMatch: '/' } } }],
        backendRefs: [{ name: 'pi-ui-svc', port: 4040 }],
      }],
    });
  });

  test('rewrites nothing without a path', () => {
    const { spec } = objectOf('HTTPRoute', {}, withUrl('{{$appName}}.example.org', { gateways }));

    expect(spec.rules).toEqual([
      { matches: [{ path: { type: 'PathPrefix', value: '/' } }], backendRefs: [{ name: 'pi-ui-svc', port: 4040 }] },
    ]);
  });
});

test('other ports of the driver have a Service each, and an Ingress if they have a URL', () => {
  const spec = { driverIngressOptions: [...PORTS.spec.driverIngressOptions, { servicePort: 9090, servicePortName: '' }] };
  const objects = objectsOf({ spec }, { uiService: false, ingress: { className: 'internal' } });

  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'Service pi-driver-8085', 'Ingress pi-ing-8085', 'Service pi-driver-9090',
  ]);
  expect(objects[0].spec.ports).toEqual([{ name: 'status', port: 8085, targetPort: 8085 }]);
  expect(objects[1].spec).toMatchObject({
    ingressClassName: 'internal', rules: [{ host: 'status.example.org', http: { paths: [{ path: '/pi(/|$)(.*)' }] } }],
  });
  expect(objects[2].spec.ports[0].name).toBe('driver-ing-9090');
});

test('the PodDisruptionBudget has the driver\'s name, and exists if operator and application enable it', () => {
  const spec = { driverPodDisruptionBudget: true };
  const on = { uiService: false, driverPodDisruptionBudget: true };

  expect(objectsOf({ spec, status: { driverInfo: { podName: 'my-driver' } } }, on)).toMatchObject([{
    apiVersion: 'policy/v1',
    metadata: { name: 'my-driver' },
    spec: { minAvailable: 1, selector: { matchLabels: { 'sparkoperator.k8s.io/app-name': 'pi', 'spark-role': 'driver' } } },
  }]);
  expect(objectsOf({}, on)).toEqual([]);
  expect(objectsOf({ spec }, { uiService: false })).toEqual([]);
});

test.each(Object.values(ApplicationState))('in state "%s" all objects exist, or none', (state) => {
  const wanted = wantedOf(application({ ...PORTS, state }), { ...SETTINGS, ...withUrl('{{$appName}}.example.org') });
  const isReachable = ['RUNNING', 'UNKNOWN'].includes(state);

  expect(hasDriver(state)).toBe(isReachable || state === 'SUBMITTED');
  expect([wanted.objects.length, wanted.webUI !== undefined]).toEqual([isReachable ? 4 : 0, isReachable]);
});

test('a driver that waits has only its PodDisruptionBudget, unless it has run before', () => {
  const spec = { ...PORTS.spec, driverPodDisruptionBudget: true };
  const kinds = (status: object) => objectsOf(
    { spec, state: ApplicationState.SUBMITTED, status }, { driverPodDisruptionBudget: true },
  ).map(({ kind }) => kind);

  expect(kinds({})).toEqual(['PodDisruptionBudget']);
  expect(kinds({ driverInfo: { podName: 'pi-driver', webUIServiceName: 'pi-ui-svc' } })).toEqual(['PodDisruptionBudget', 'Service', 'Service', 'Ingress']);
});

describe('names', () => {
  test.each<[string, string, string, string]>([
    ['short', 'Service', 'pi', 'pi-ui-svc'],
    // These are the names of kubeflow/spark-operator v2, so that the operator finds its objects.
    ['of 63 characters', 'Service', 'a'.repeat(56), `${'a'.repeat(56)}-ui-svc`],
    ['longer', 'Service', 'a'.repeat(57), `${'a'.repeat(47)}-ab5c91e7-ui-svc`],
    ['with dots, of a Service', 'Service', 'daily.report', 'daily-report-2ad6d2bb-ui-svc'],
    ['with dots, of others', 'Ingress', 'daily.report', 'daily.report-ui-svc'],
    ['that begin with a digit', 'Service', '2026-report', 'x2026-report-b97cef45-ui-svc'],
  ])('%s', (_, kind, name, expected) => {
    const given = objectName(kind, name, 'ui-svc');

    expect(given).toBe(expected);
    expect(given.length).toBeLessThanOrEqual(63);
  });

  test('two names that are shortened, or changed, stay different', () => {
    expect(objectName('Service', 'a.b', 'ui-svc')).not.toBe(objectName('Service', 'a-b', 'ui-svc'));
    expect(objectName('Service', `${'a'.repeat(60)}-1`, 'ui-svc')).not.toBe(objectName('Service', `${'a'.repeat(60)}-2`, 'ui-svc'));
  });
});

test.each<[string, Changes['spec'], Partial<OwnedSettings>, string[]]>([
  ['nothing', { sparkUIOptions: { servicePort: 80 } }, {}, []],
  ['options of a UI that has no Service', { sparkUIOptions: {} }, { uiService: false }, [
    'spec.sparkUIOptions has no effect: the operator makes no Services for web UIs (--enable-ui-service=false)',
  ]],
  ['options of no UI', { sparkUIOptions: {}, sparkConf: { 'spark.ui.enabled': 'false' } }, {}, [
    'spec.sparkUIOptions has no effect: spec.sparkConf[spark.ui.enabled] is false',
  ]],
  ['options of no Ingress', { sparkUIOptions: { ingressAnnotations: { a: '1' }, ingressTLS: [{}] } }, {}, [
    'spec.sparkUIOptions.ingressAnnotations has no effect: the operator runs without --ingress-url-format',
    'spec.sparkUIOptions.ingressTLS has no effect: the operator runs without --ingress-url-format',
  ]],
  ['options of no Ingress of a port', { driverIngressOptions: [{ servicePort: 1, servicePortName: 'p', ingressTLS: [{}] }] }, {}, [
    'spec.driverIngressOptions[0].ingressTLS has no effect: it has no ingressURLFormat',
  ]],
  ['TLS beside a Gateway', { sparkUIOptions: { ingressTLS: [{}] } }, { ingress: { urlFormat: 'a', gateways: [{ name: 'g' }] } }, [
    'spec.sparkUIOptions.ingressTLS has no effect: with an HTTPRoute, TLS is up to its Gateway',
  ]],
  ['a budget that the operator does not create', { driverPodDisruptionBudget: true }, {}, [
    'spec.driverPodDisruptionBudget has no effect: the operator runs without --enable-driver-pdb',
  ]],
])('reported as without effect: %s', (_, spec, settings, expected) => {
  expect(wantedOf(application({ spec }), { ...SETTINGS, ...settings }).withoutEffect).toEqual(expected);
});

test('the driver gets URLs only if the operator makes web UIs reachable', () => {
  expect(webUIUrlFormat({ ...SETTINGS, ingress: { urlFormat: 'a/b' } })).toBe('a/b');
  expect(webUIUrlFormat({ ...SETTINGS, uiService: false, ingress: { urlFormat: 'a/b' } })).toBeUndefined();
  expect(webUIUrlFormat(SETTINGS)).toBeUndefined();
});
