import { application } from '../applications.ts';

/** A kind of review, and its share of all. */
export interface ReviewKind {
  readonly name: string;
  readonly share: number;
  readonly path: string;
  /** The review, with UID in place of its uid. */
  readonly body: Buffer;
  /** Whether an answer is right. */
  readonly isRight: (response: { readonly allowed?: boolean; readonly patch?: string }) => boolean;
}

/** Placeholder for the uid of a review, of the same length. */
export const UID = 'u'.repeat(36);

const NAMESPACE = 'jobs';

/** Applications with more than this are large because of their configuration, not because of their variables. */
const MAX_VARIABLES = 40;
const OF_APPLICATIONS = 'sparkoperator-k8s-io-v1beta2-sparkapplication';

/** The application of the pods. */
export const APPLICATION_OF_PODS: any = {
  ...stored('pods', 10),
  metadata: { ...stored('pods', 10).metadata, uid: '99999999-0000-0000-0000-000000000000', resourceVersion: '7' },
  status: { submissionID: 'id', submissionAttempts: 1, applicationState: { state: 'RUNNING' } },
};

/** Returns the reviews that an API server sends while applications are created, edited and run: two for each. */
export function reviewKinds(): ReviewKind[] {
  const isAllowed: ReviewKind['isRight'] = ({ allowed }) => allowed === true;
  const isPatched: ReviewKind['isRight'] = ({ allowed, patch }) => allowed === true && patch !== undefined;
  const ofApplications = (name: string, share: number, entries: number): ReviewKind[] => {
    const object = stored('pi', entries);
    const edited = { ...object, spec: { ...object.spec, executor: { ...object.spec.executor, instances: 8 } } };
    const [mutate, validate] = [`/mutate-${OF_APPLICATIONS}`, `/validate-${OF_APPLICATIONS}`];
    const [raw, full] = [without(object), object].map((one) => review('SparkApplication', 'CREATE', one)) as [Buffer, Buffer];
    const update = review('SparkApplication', 'UPDATE', edited, object);
    return [
      { name: `${name} application, created: defaults`, share: share * 0.3, path: mutate, body: raw, isRight: isPatched },
      { name: `${name} application, created: validation`, share: share * 0.3, path: validate, body: full, isRight: isAllowed },
      { name: `${name} application, edited: defaults`, share: share * 0.2, path: mutate, body: update, isRight: isAllowed },
      { name: `${name} application, edited: validation`, share: share * 0.2, path: validate, body: update, isRight: isAllowed },
    ];
  };
  return [
    ...ofApplications('small', 0.6, 0),
    ...ofApplications('large', 0.18, 100),
    ...ofApplications('huge', 0.02, 500),
    { name: 'executor', share: 0.2, path: '/mutate--v1-pod', body: review('Pod', 'CREATE', executor()), isRight: isPatched },
  ];
}

/** Returns an application as stored, with so many properties and up to 40 variables: more than usual. */
function stored(name: string, entries: number): any {
  const { metadata, spec, ...type }: any = application({ namespace: NAMESPACE, name });
  const some = <T>(make: (index: number) => T) => Array.from({ length: entries }, (_, index) => make(index));
  const variables = some((index) => ({ name: `SETTING_${index}`, value: `value number ${index}` })).slice(0, MAX_VARIABLES);
  const keys = some((index) => [`spark.hadoop.example.setting.number.${index}`, `a value of an ordinary length, number ${index}`]);
  return {
    ...type,
    metadata: {
      ...metadata, uid: '11111111-2222-3333-4444-555555555555', creationTimestamp: '2026-03-01T10:00:00Z', generation: 1,
      managedFields: [{
        manager: 'kubectl-client-side-apply', operation: 'Update', apiVersion: type.apiVersion, time: '2026-03-01T10:00:00Z',
        fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': Object.fromEntries(keys.map(([key]) => [`f:${key}`, {}])) },
      }],
    },
    spec: {
      ...spec,
      sparkConf: { ...spec.sparkConf, ...Object.fromEntries(keys) },
      volumes: [{ name: 'cache', emptyDir: {} }],
      restartPolicy: {
        type: 'OnFailure', onFailureRetries: 3, onFailureRetryInterval: 10,
        onSubmissionFailureRetries: 3, onSubmissionFailureRetryInterval: 10,
      },
      driver: { ...spec.driver, env: variables, volumeMounts: [{ name: 'cache', mountPath: '/cache' }] },
      executor: {
        ...spec.executor, env: variables, volumeMounts: [{ name: 'cache', mountPath: '/cache' }],
        tolerations: [{ key: 'spot', operator: 'Exists', effect: 'NoSchedule' }],
      },
    },
  };
}

/** Returns an application as people write it, without the defaults. */
function without({ spec: { type: _, mode: __, driver: { memory: ___, ...driver }, ...spec }, ...rest }: any): object {
  return { ...rest, spec: { ...spec, type: 'Python', driver } };
}

/** Returns an executor as Spark's driver creates it. */
function executor(): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'pods-exec-1', namespace: NAMESPACE,
      labels: {
        'spark-role': 'executor', 'spark-exec-id': '1', 'spark-app-selector': 'spark-1', 'sparkoperator.k8s.io/app-name': 'pods',
        'sparkoperator.k8s.io/launched-by-spark-operator': 'true', 'sparkoperator.k8s.io/submission-id': 'id',
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'pods-driver', uid: '1', controller: true }],
    },
    spec: {
      restartPolicy: 'Never',
      containers: [{
        name: 'spark-kubernetes-executor', image: 'example.org/spark:4.1.1', args: ['executor'],
        ports: [{ name: 'blockmanager', containerPort: 7079 }],
        env: Array.from({ length: 30 }, (_, index) => ({ name: `SPARK_JAVA_OPT_${index}`, value: `-Dspark.key.number.${index}=value` })),
        resources: { requests: { cpu: '2', memory: '4506Mi' }, limits: { memory: '4506Mi' } },
        volumeMounts: [
          { name: 'spark-local-dir-1', mountPath: '/var/data/spark' }, { name: 'spark-conf-volume-exec', mountPath: '/opt/spark/conf' },
        ],
      }],
      volumes: [
        { name: 'spark-local-dir-1', emptyDir: {} },
        { name: 'spark-conf-volume-exec', configMap: { name: 'spark-exec-1-conf-map', defaultMode: 420 } },
      ],
    },
  };
}

function review(kind: 'Pod' | 'SparkApplication', operation: string, object: any, oldObject: object | null = null): Buffer {
  const [group, version, resource] = kind === 'Pod' ? ['', 'v1', 'pods'] : ['sparkoperator.k8s.io', 'v1beta2', 'sparkapplications'];
  const [kinds, resources] = [{ group, version, kind }, { group, version, resource }];
  const userInfo = { username: 'system:serviceaccount:jobs:spark', groups: ['system:serviceaccounts', 'system:authenticated'] };
  return Buffer.from(JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: UID, kind: kinds, resource: resources, requestKind: kinds, requestResource: resources,
      name: object.metadata.name, namespace: NAMESPACE, operation, userInfo,
      object, oldObject, dryRun: false, options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    },
  }));
}
