/**
 * The namespaces of the benchmark: the operator's, and one for each thing that is measured, so that none finds what another has left. The
 * latter are of one length, for the same number of bytes.
 */
export const NAMESPACES = { operator: 'bench-operator', record: 'bench-take', live: 'bench-live', pile: 'bench-pile', bare: 'bench-bare' } as const;

export const APPLICATIONS_PATH = '/apis/sparkoperator.k8s.io/v1beta2/namespaces';

/** An application that exists, as far as the benchmark needs to know it. */
export interface CreatedApplication {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Names of one length: what is sent for one application has as many bytes as what is sent for another. */
export function applicationName(index: number): string {
  return `bench-${String(index).padStart(6, '0')}`;
}

/** A node that no kubelet is for. */
export const NODE = 'bench-nowhere';

/**
 * An application as people write them, of a medium size.
 *
 * Its driver has a node, on which nothing runs: what waits for a scheduler the operator writes into status and events, and that is work after the submission.
 */
export function application(namespace: string, name: string): object {
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name, namespace, labels: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'bench' } },
    spec: {
      type: 'Python',
      mode: 'cluster',
      sparkVersion: '4.1.1',
      image: 'example.org/spark:4.1.1',
      imagePullPolicy: 'IfNotPresent',
      mainApplicationFile: 'local:///opt/spark/applications/etl.py',
      arguments: ['--day', '2026-03-01', '--input', 's3a://raw/events', '--output', 's3a://clean/events'],
      sparkConf: {
        'spark.sql.shuffle.partitions': '200',
        'spark.sql.adaptive.enabled': 'true',
        'spark.eventLog.enabled': 'true',
        'spark.eventLog.dir': 's3a://history/logs',
        'spark.hadoop.fs.s3a.endpoint': 'https://s3.example.org',
      },
      driver: {
        cores: 1, memory: '2g', serviceAccount: 'spark', labels: { team: 'data' },
        // A node of which nothing is heard is tainted.
        template: { spec: { nodeName: NODE, tolerations: [{ operator: 'Exists' }], containers: [] } },
      },
      executor: { instances: 4, cores: 2, memory: '4g', labels: { team: 'data' } },
    },
  };
}
