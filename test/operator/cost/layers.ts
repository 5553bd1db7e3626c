import type { Layers } from '../../../src/plan/defaults/layer';
import { parseLayer } from '../../../src/plan/defaults/parse';

const list = (count: number, make: (index: number) => string) => `[${Array.from({ length: count }, (_, index) => JSON.stringify(make(index))).join(', ')}]`;

const layer = (namespace: string) => parseLayer({
  metadata: { name: 'defaults', namespace, resourceVersion: '1' },
  data: {
    'defaults.yaml': `
sparkConf: {spark.eventLog.enabled: "true", spark.eventLog.dir: "s3a://logs/spark", spark.ui.port: "4050", spark.kubernetes.container.image: spark, spark.kubernetes.driver.label.team: a}
hadoopConf: {fs.s3a.endpoint: "https://s3"}
nodeSelector: {pool: spark}
volumes: [{name: scratch, emptyDir: {}}]
driver:
  serviceAccount: spark
  env: [{name: A, value: b}, {name: V1, value: c}]
  labels: {team: a}
  volumeMounts: [{name: scratch, mountPath: /scratch}]
  tolerations: [{key: spark, operator: Exists}]
executor:
  env: [{name: A, value: b}]
  envFrom: [{configMapRef: {name: common}}]
  sidecars: [{name: proxy, image: proxy}]
  template: {spec: {containers: [{name: log, image: log, env: [{name: A, value: b}]}]}}
`,
    'enforced.yaml': `
sparkConf: {spark.kubernetes.executor.deleteOnTermination: "true", spark.kubernetes.driverEnv.TEAM: a}
driver: {labels: {cost-center: "4711"}, annotations: {audit: "on"}, env: [{name: AUDIT, value: "yes"}]}
executor: {labels: {cost-center: "4711"}, env: [{name: AUDIT, value: "yes"}]}
`,
    'limits.yaml': `
maxExecutors: 50
executor: {maxCores: 8, maxMemory: 64g}
maxRetries: 5
maxTimeToLiveSeconds: 86400
allowedImages: ${list(20, (index) => `*reg*istry-${index}*/team?/*:*`)}
allowedServiceAccounts: ${list(20, (index) => `*s*p*a*r*k-${index}-*`)}
deniedSparkConf: ${list(20, (index) => `spark.*.${index}*a*uth*.*x`)}
`,
  },
});

/** Defaults and limits as platform teams have them, with expensive globs. */
export const LAYERS: Layers = { cluster: layer('spark-operator'), namespace: layer('jobs') };
