/* Cases of the admission policies: the API server, the operator and the constructs have to agree about each of them. */
import type { ApplicationLimits } from '../../src';

/** The namespace of all cases has these limits; in the tests it can have another name. */
export const LIMITS: ApplicationLimits = { allowedServiceAccounts: ['spark', 'etl-*'], allowedImages: ['registry.example.org/team/*', 'spark:4.?.1'] };

/** A specification, and the answer to it. `{namespace}` is a placeholder for the namespace of the object. */
export interface AdmissionCase {
  readonly name: string;
  /** Fields to add to a valid specification. */
  readonly spec: { readonly [field: string]: any };
  /** Where the mistake is, as the message begins; undefined: there is none. */
  readonly refused?: string;
  /** The whole message of a rule that needs no ConfigMap. */
  readonly message?: string;
  /** The operator sees no mistake, as the value has no effect in the end. */
  readonly withoutEffect?: true;
}

const IMAGE = 'registry.example.org/team/spark:4';
const FOREIGN = 'docker.io/evil/spark:4';
const ELSEWHERE = 'remove it, or create the application in the other namespace';

/** The policy's messages about limits, for the documentation: the webhook also has the other rules. The namespace is `jobs`. */
export const LIMIT_RULES: readonly { readonly rule: string; readonly spec: AdmissionCase['spec']; readonly message: string }[] = [
  {
    rule: 'Namespaces: service accounts that they allow',
    spec: { driver: { serviceAccount: 'admin' } },
    message: 'spec.driver.serviceAccount = "admin" is not among what namespace jobs allows (sparkoperator.k8s.io/allowed-service-accounts: spark, etl-*); write one of those service accounts, or ask who looks after the namespace',
  },
  {
    rule: 'Namespaces: images that they allow, wherever they are written',
    spec: { driver: { sidecars: [{ name: 'proxy', image: 'envoy' }] } },
    message: 'spec.driver.sidecars[proxy].image = "envoy" is not among what namespace jobs allows (sparkoperator.k8s.io/allowed-images: registry.example.org/team/*, spark:4.?.1); write one of those images, or ask who looks after the namespace',
  },
  {
    rule: 'Namespaces: no template in a file, which no layer reads, if they allow some only',
    spec: { sparkConf: { 'spark.kubernetes.executor.podTemplateFile': 'local:///opt/pod.yaml' } },
    message: 'spec.sparkConf[spark.kubernetes.executor.podTemplateFile] names a file that cannot be compared with what namespace jobs allows; write the template itself into the specification',
  },
  {
    rule: 'Namespaces: types of Services that they allow',
    spec: { sparkUIOptions: { serviceType: 'LoadBalancer' } },
    message: 'spec.sparkUIOptions.serviceType = "LoadBalancer" is not among what namespace jobs allows (sparkoperator.k8s.io/allowed-service-types: ClusterIP); write ClusterIP, or ask who looks after the namespace',
  },
];

/** Of specifications of SparkApplications, which are templates of ScheduledSparkApplications, too. */
export const APPLICATION_CASES: readonly AdmissionCase[] = [
  { name: 'nothing about namespaces, accounts and images', spec: {} },
  { name: 'the own namespace', spec: { sparkConf: { 'spark.kubernetes.namespace': '{namespace}' }, driver: { template: { metadata: { namespace: '{namespace}' } } } } },
  {
    name: 'another namespace in sparkConf',
    spec: { sparkConf: { 'spark.kubernetes.namespace': 'kube-system' } },
    refused: 'spec.sparkConf[spark.kubernetes.namespace]',
    message: `spec.sparkConf[spark.kubernetes.namespace] = "kube-system" is not the namespace of the application, {namespace}; ${ELSEWHERE}`,
  },
  { name: 'an empty namespace in sparkConf', spec: { sparkConf: { 'spark.kubernetes.namespace': '' } }, refused: 'spec.sparkConf[spark.kubernetes.namespace]' },
  ...['driver', 'executor'].map((role): AdmissionCase => ({
    name: `another namespace in the template of the ${role}`,
    spec: { [role]: { template: { metadata: { namespace: 'other' } } } },
    refused: `spec.${role}.template.metadata.namespace`,
    message: `spec.${role}.template.metadata.namespace = "other" is not the namespace of the application, {namespace}; remove it`,
  })),
  { name: 'templates that say nothing of a namespace', spec: { driver: { template: { metadata: { namespace: '', labels: { a: 'b' } } } }, executor: { template: { metadata: null } } } },

  { name: 'an allowed service account', spec: { driver: { serviceAccount: 'spark' }, executor: { serviceAccount: 'etl-7' } } },
  { name: 'a foreign service account of the driver', spec: { driver: { serviceAccount: 'admin' } }, refused: 'spec.driver.serviceAccount' },
  { name: 'a foreign service account of executors', spec: { driver: { serviceAccount: 'spark' }, executor: { serviceAccount: 'spark2' } }, refused: 'spec.executor.serviceAccount' },
  ...['serviceAccountName', 'serviceAccount'].map((field): AdmissionCase => (
    { name: `a foreign ${field} in a template`, spec: { driver: { template: { spec: { [field]: 'admin' } } } }, refused: 'spec.driver.template.spec.serviceAccount' }
  )),
  { name: 'a foreign service account in a template where the field says another', spec: { driver: { serviceAccount: 'spark', template: { spec: { serviceAccountName: 'admin' } } } } },
  { name: 'the old field of a template beside the new one', spec: { driver: { template: { spec: { serviceAccountName: 'etl-1', serviceAccount: 'admin' } } } } },

  { name: 'images by name and by version of Spark', spec: { image: 'spark:{{SPARK_VERSION}}', executor: { image: 'registry.example.org/team/a/b:1' } } },
  { name: 'a foreign image', spec: { image: FOREIGN }, refused: 'spec.image' },
  { name: 'an image whose name only begins like an allowed one', spec: { image: 'spark:4.1.1-evil' }, refused: 'spec.image' },
  { name: 'an image with a point for any character', spec: { image: 'registryXexample.org/team/a' }, refused: 'spec.image' },
  { name: 'a foreign image of the driver', spec: { driver: { image: FOREIGN } }, refused: 'spec.driver.image' },
  { name: 'a foreign image in sparkConf', spec: { image: undefined, sparkConf: { 'spark.kubernetes.container.image': FOREIGN } }, refused: 'spec.sparkConf[spark.kubernetes.container.image]' },
  {
    name: 'a foreign image of executors in sparkConf',
    spec: { image: undefined, driver: { image: IMAGE }, sparkConf: { 'spark.kubernetes.executor.container.image': FOREIGN } },
    refused: 'spec.sparkConf[spark.kubernetes.executor.container.image]',
  },
  {
    name: 'a foreign image of executors in sparkConf beside spec.image, which wins',
    spec: { sparkConf: { 'spark.kubernetes.executor.container.image': FOREIGN } },
    refused: 'spec.sparkConf[spark.kubernetes.executor.container.image]',
    withoutEffect: true,
  },
  { name: 'a foreign sidecar', spec: { executor: { sidecars: [{ name: 'proxy', image: FOREIGN }] } }, refused: 'spec.executor.sidecars[proxy].image' },
  { name: 'an init container of the driver', spec: { driver: { initContainers: [{ name: 'init', image: FOREIGN }] } }, refused: 'spec.driver.initContainers[init].image' },
  {
    name: 'a foreign container in a template',
    spec: { driver: { template: { spec: { containers: [{ name: 'spark-kubernetes-driver' }, { name: 'log', image: FOREIGN }] } } } },
    refused: 'spec.driver.template.spec.containers[log].image',
  },
  {
    name: 'a foreign init container in a template',
    spec: { executor: { template: { spec: { containers: [{ name: 'spark-kubernetes-executor' }], initContainers: [{ name: 'init', image: FOREIGN }] } } } },
    refused: 'spec.executor.template.spec.initContainers[init].image',
  },
  {
    name: 'a foreign image as a volume',
    spec: { volumes: [{ name: 'files', image: { reference: FOREIGN } }] },
    refused: 'spec.volumes[files].image.reference',
  },
  {
    name: "an image of Spark's own container in a template, which Spark replaces",
    spec: { driver: { template: { spec: { containers: [{ name: 'spark-kubernetes-driver', image: FOREIGN }] } } } },
    refused: 'spec.driver.template.spec.containers[spark-kubernetes-driver].image',
    withoutEffect: true,
  },
  { name: 'an image that others replace', spec: { image: FOREIGN, driver: { image: IMAGE }, executor: { image: IMAGE } }, refused: 'spec.image', withoutEffect: true },
  {
    name: 'a template in a file',
    spec: { sparkConf: { 'spark.kubernetes.driver.podTemplateFile': 'local:///opt/spark/pod.yaml' } },
    refused: 'spec.sparkConf[spark.kubernetes.driver.podTemplateFile]',
  },
];

/** Limits for the cases of Services. */
export const SERVICE_LIMITS = { allowedServiceTypes: ['NodePort'], allowedServiceAnnotations: ['team.example.org/*', 'scrape'] };

const HOSTNAME = 'external-dns.alpha.kubernetes.io/hostname';

/** A specification that says how its Services are reached. The API server and the operator have to agree about each of them. */
export const SERVICE_CASES: readonly (Pick<AdmissionCase, 'name' | 'spec' | 'refused'> & { readonly kind: 'SparkApplication' | 'SparkConnect' })[] = [
  { kind: 'SparkApplication', name: 'allowed types and annotations', spec: { sparkUIOptions: { serviceType: 'NodePort', serviceAnnotations: { 'team.example.org/a': 'b', 'scrape': 'true' } } } },
  { kind: 'SparkApplication', name: 'ClusterIP, and nothing', spec: { sparkUIOptions: { serviceType: 'ClusterIP' }, driverIngressOptions: [{ servicePort: 1, servicePortName: 'a', serviceType: '' }] } },
  { kind: 'SparkApplication', name: 'a load balancer for the web UI', spec: { sparkUIOptions: { serviceType: 'LoadBalancer' } }, refused: 'spec.sparkUIOptions.serviceType' },
  {
    kind: 'SparkApplication',
    name: 'a load balancer for another port',
    spec: { driverIngressOptions: [{ servicePort: 1, servicePortName: 'a' }, { servicePort: 8085, servicePortName: 'b', serviceType: 'LoadBalancer' }] },
    refused: 'spec.driverIngressOptions[8085].serviceType',
  },
  ...['serviceAnnotations', 'ingressAnnotations'].flatMap((field) => [
    { kind: 'SparkApplication' as const, name: `${field} of the web UI`, spec: { sparkUIOptions: { [field]: { scrape: 'true', [HOSTNAME]: 'a' } } }, refused: `spec.sparkUIOptions.${field}[${HOSTNAME}]` },
    {
      kind: 'SparkApplication' as const,
      name: `${field} of another port`,
      spec: { driverIngressOptions: [{ servicePort: 8085, servicePortName: 'b', [field]: { [HOSTNAME]: 'a' } }] },
      refused: `spec.driverIngressOptions[8085].${field}[${HOSTNAME}]`,
    },
  ]),
  { kind: 'SparkApplication', name: "annotations of the driver's Service", spec: { driver: { serviceAnnotations: { [HOSTNAME]: 'a' } } }, refused: `spec.driver.serviceAnnotations[${HOSTNAME}]` },
  {
    kind: 'SparkApplication',
    name: "annotations of the driver's Service by a property",
    spec: { sparkConf: { 'spark.kubernetes.driver.service.annotation.scrape': 'true', [`spark.kubernetes.driver.service.annotation.${HOSTNAME}`]: 'a' } },
    refused: `spec.sparkConf[spark.kubernetes.driver.service.annotation.${HOSTNAME}]`,
  },
  { kind: 'SparkConnect', name: 'an allowed type', spec: { server: { service: { metadata: { annotations: { scrape: 'true' } }, spec: { type: 'NodePort' } } } } },
  { kind: 'SparkConnect', name: 'a load balancer', spec: { server: { service: { spec: { type: 'LoadBalancer' } } } }, refused: 'spec.server.service.spec.type' },
  { kind: 'SparkConnect', name: 'addresses of others', spec: { server: { service: { spec: { externalIPs: ['10.0.0.1'] } } } }, refused: 'spec.server.service.spec.externalIPs' },
  { kind: 'SparkConnect', name: 'annotations', spec: { server: { service: { metadata: { annotations: { [HOSTNAME]: 'a' } } } } }, refused: `spec.server.service.metadata.annotations[${HOSTNAME}]` },
  { kind: 'SparkConnect', name: 'a load balancer for the web UI', spec: { sparkUIOptions: { serviceType: 'LoadBalancer' } }, refused: 'spec.sparkUIOptions.serviceType' },
  {
    kind: 'SparkConnect',
    name: 'annotations by a property',
    spec: { sparkConf: { [`spark.kubernetes.driver.service.annotation.${HOSTNAME}`]: 'a' } },
    refused: `spec.sparkConf[spark.kubernetes.driver.service.annotation.${HOSTNAME}]`,
  },
];

/** Templates are free: what is in them may be of any shape. Whether such a pod can be made is not for the policies to say, but they must not end in errors. */
export const ODD_TEMPLATES: readonly unknown[] = [
  null, {}, { metadata: [] }, { metadata: 'x' }, { metadata: { namespace: null } }, { spec: null }, { spec: [] }, { spec: 'x' }, { spec: { containers: null } }, { spec: { containers: {} } },
  { spec: { containers: [null, 'x', {}, { image: null }, { name: 5, image: '' }], initContainers: 'x', volumes: [null, { image: null }, { image: 'x' }, { image: {} }], serviceAccountName: null } },
];

/** The same that is wrong in any shape is refused. */
export const ODD_REFUSALS: readonly unknown[] = [
  { metadata: { namespace: 5 } }, { metadata: { namespace: { a: 'b' } } }, { metadata: { namespace: 'a\nb' } }, { spec: { serviceAccountName: ['spark'] } }, { spec: { serviceAccountName: 'spark\nx' } },
  { spec: { containers: [{ image: ['spark:4.1.1'] }] } }, { spec: { containers: [{ name: ['x'], image: 'evil' }] } }, { spec: { containers: [{ image: 'spark:4.1.1\n' }] } },
];

/** A SparkApplication with a specification of a case. */
export function application(name: string, namespace: string, spec: AdmissionCase['spec'] = {}): any {
  return object('SparkApplication', name, namespace, applicationSpec(namespace, spec));
}

/** The specification of a case, in which nothing else is wrong. */
export function applicationSpec(namespace: string, spec: AdmissionCase['spec'] = {}): any {
  const { driver, executor, ...others } = JSON.parse(JSON.stringify(spec).replaceAll('{namespace}', namespace));
  const base = { type: 'Python', mode: 'cluster', sparkVersion: '4.1.1', mainApplicationFile: 'local:///opt/app.py', ...('image' in spec && spec.image === undefined ? {} : { image: IMAGE }) };
  const of = (pod: any) => ({ ...(pod?.template?.spec?.serviceAccountName || pod?.template?.spec?.serviceAccount ? {} : { serviceAccount: 'spark' }), ...pod });
  return { ...base, ...others, driver: of(driver), executor: { instances: 1, ...of(executor) } };
}

/** A ScheduledSparkApplication whose runs have a specification. */
export function scheduled(name: string, namespace: string, spec: AdmissionCase['spec'] = {}): any {
  return object('ScheduledSparkApplication', name, namespace, { schedule: '@daily', concurrencyPolicy: 'Allow', template: applicationSpec(namespace, spec) });
}

/** A SparkConnect. */
export function connect(name: string, namespace: string, spec: AdmissionCase['spec'] = {}): any {
  const { server, executor, ...others } = JSON.parse(JSON.stringify(spec).replaceAll('{namespace}', namespace));
  return object('SparkConnect', name, namespace, { sparkVersion: '4.1.1', image: IMAGE, ...others, server: { ...server }, executor: { instances: 1, ...executor } });
}

function object(kind: string, name: string, namespace: string, spec: object): object {
  return { apiVersion: `sparkoperator.k8s.io/${kind === 'SparkConnect' ? 'v1alpha1' : 'v1beta2'}`, kind, metadata: { name, namespace }, spec };
}
