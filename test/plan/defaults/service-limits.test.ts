import type { Exposing } from '../../../src/plan/defaults/service-limits';
import { serviceViolations } from '../../../src/plan/defaults/service-limits';
import { limitViolations } from '../../../src/plan/defaults/limits';
import { DefaultsError } from '../../../src/plan/defaults/parse';
import { application } from '../application';
import { SERVICE_CASES, SERVICE_LIMITS } from '../../helpers/admission-cases';
import { namespace } from './layers';

const said = (spec: Exposing, limits: string) => serviceViolations(spec, { namespace: namespace({ limits }) }).map(({ message }) => message);
const WHO = 'or ask who looks after the ConfigMap';

test('a refusal names the place, the value, the limit, the ConfigMap, and what to write', () => {
  expect(said({ sparkUIOptions: { serviceType: 'LoadBalancer' as any } }, 'allowedServiceTypes: [NodePort]')).toEqual([
    `spec.sparkUIOptions.serviceType = "LoadBalancer" is not among what ConfigMap jobs/spark-operator-defaults allows (limits.yaml: allowedServiceTypes: NodePort); write ClusterIP, ${WHO}`,
  ]);
  expect(said({ driver: { serviceAnnotations: { 'external-dns.alpha.kubernetes.io/hostname': 'bank.example.org' } } }, 'allowedServiceAnnotations: ["team/*"]')).toEqual([
    `spec.driver.serviceAnnotations[external-dns.alpha.kubernetes.io/hostname] is not among what ConfigMap jobs/spark-operator-defaults allows (limits.yaml: allowedServiceAnnotations: team/*); remove it, ${WHO}`,
  ]);
});

test.each(SERVICE_CASES)('$kind: $name', ({ spec, refused }) => {
  const limits = JSON.stringify(SERVICE_LIMITS);
  expect(said(spec as Exposing, limits).map((message) => message.split(' ')[0])).toEqual(refused === undefined ? [] : [refused]);
});

test('ClusterIP needs no permission, and nothing is refused without a limit', () => {
  expect(said({ sparkUIOptions: { serviceType: 'ClusterIP' as any } }, 'allowedServiceTypes: []')).toEqual([]);
  expect(said({ sparkUIOptions: { serviceType: 'LoadBalancer' as any, serviceAnnotations: { a: 'b' } } }, 'maxExecutors: 2')).toEqual([]);
});

test('limits of cluster and namespace both hold, for an application that is wrong elsewhere, too', () => {
  const limits = 'allowedServiceTypes: [NodePort]';
  const layers = { cluster: namespace({ limits: 'allowedServiceTypes: []' }), namespace: namespace({ limits }) };
  const { metadata, spec } = application({ spec: { sparkUIOptions: { serviceType: 'NodePort' as any }, sparkConf: { 'spark.executor.memory': '${env:SIZE}' } } });
  expect(limitViolations({ metadata, spec }, spec, layers)).toHaveLength(1);
});

test('a type that Kubernetes does not have is a mistake of the ConfigMap', () => {
  expect(() => namespace({ limits: 'allowedServiceTypes: [Nodeport]' })).toThrow(DefaultsError);
});

test('more names than can be compared are refused', () => {
  const serviceAnnotations = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`${'a'.repeat(4_000)}${index}`, '']));
  expect(said({ driver: { serviceAnnotations } }, 'allowedServiceAnnotations: ["*a*b"]')[0]).toMatch(/^spec has more and longer names of annotations than can be compared/);
});
