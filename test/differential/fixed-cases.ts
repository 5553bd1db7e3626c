import type { MainApplication } from '../../src/plan/properties/main-application';
import type { SubmitCase } from './submit-case';

const PI: MainApplication = { type: 'java', mainClass: 'org.apache.spark.examples.SparkPi', resource: 'local:///opt/spark/examples/jars/spark-examples.jar', arguments: ['1000'] };
const IMAGE = { 'spark.app.name': 'spark-pi', 'spark.kubernetes.container.image': 'apache/spark:{{SPARK_VERSION}}' };

const DRIVER_TEMPLATE = `
apiVersion: v1
kind: Pod
metadata:
  name: replaced
  labels: {team: data, from-template: "yes"}
  annotations: {note: "a: b"}
spec:
  initContainers:
  - name: fetch
    image: busybox
    command: [sh, -c, 'wget -O /data/x http://files/x']
    volumeMounts: [{name: data, mountPath: /data}]
  containers:
  - name: sidecar
    image: envoy
    ports: [{containerPort: 15001, name: mesh}]
    readinessProbe: {httpGet: {path: /ready, port: 15001}, periodSeconds: 5}
  - name: spark
    image: replaced
    imagePullPolicy: Never
    env:
    - {name: FROM_TEMPLATE, value: "1"}
    - {name: SPARK_USER, value: somebody}
    - {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}
    ports: [{containerPort: 9090, name: metrics}]
    resources:
      requests: {cpu: "7", memory: 1Gi, ephemeral-storage: 10Gi}
      limits: {cpu: "8", ephemeral-storage: 20Gi}
    securityContext: {runAsUser: 185, capabilities: {drop: [ALL]}}
    volumeMounts: [{name: data, mountPath: /data, readOnly: true}]
    lifecycle: {preStop: {exec: {command: [sleep, "1"]}}}
  serviceAccountName: from-template
  restartPolicy: Always
  nodeSelector: {disk: ssd}
  tolerations: [{key: dedicated, operator: Exists, effect: NoSchedule}]
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a, b]}]}]
  priorityClassName: high
  hostNetwork: true
  dnsPolicy: ClusterFirstWithHostNet
  securityContext: {fsGroup: 185}
  terminationGracePeriodSeconds: 60
  imagePullSecrets: [{name: template-secret}]
  volumes:
  - {name: data, emptyDir: {sizeLimit: 5Gi}}
  - {name: settings, configMap: {name: settings, items: [{key: a, path: b}]}}
`;

const EXECUTOR_TEMPLATE = `apiVersion: v1
kind: Pod
spec:   # kept as it is written
  containers: [{name: e, env: [{name: A, value: "ü"}]}]
`;

/** Cases that are always run, for each version: what applications look like, and all that differs from one run of spark-submit to the next. */
export const FIXED_CASES: Readonly<Record<string, SubmitCase>> = {
  'minimal': { properties: IMAGE, application: PI },

  'python': {
    properties: {
      ...IMAGE, 'spark.kubernetes.namespace': 'jobs', 'spark.submit.pyFiles': 'local:///a.zip,https://r/b.zip', 'spark.pyspark.python': '/usr/bin/python3', 'spark.driver.memory': '4g',
    },
    application: { type: 'python', resource: 'local:///opt/app.py', arguments: ['1', '--two', 'drei vier'] },
  },

  'r': { properties: { ...IMAGE, 'spark.driver.memoryOverheadFactor': '0.25' }, application: { type: 'r', resource: 'local:///opt/app.R', arguments: [] } },

  'R with jars': { properties: { ...IMAGE, 'spark.jars': 'local:///opt/a.jar' }, application: { type: 'r', resource: 'local:///opt/app.R', arguments: [] } },

  'a long name': {
    properties: { ...IMAGE, 'spark.app.name': `Ünïcödé ${'long '.repeat(20)}`, 'spark.driver.memory': '1500m' },
    application: { ...PI, resource: 'spark-internal', arguments: ['', ' ', '😀'] },
  },

  'everything': {
    application: { ...PI, proxyUser: 'alice' },
    executorTemplate: EXECUTOR_TEMPLATE,
    properties: {
      ...IMAGE,
      'spark.kubernetes.namespace': 'jobs',
      'spark.kubernetes.driver.pod.name': 'my-driver',
      'spark.kubernetes.container.image.pullPolicy': 'Always',
      'spark.kubernetes.container.image.pullSecrets': 'one, two',
      'spark.driver.cores': '2', 'spark.kubernetes.driver.limit.cores': '2500m', 'spark.driver.memory': '3g', 'spark.driver.memoryOverhead': '700m',
      'spark.executor.instances': '3', 'spark.executor.memory': '2g', 'spark.executor.cores': '4',
      'spark.driver.resource.gpu.amount': '2', 'spark.driver.resource.gpu.vendor': 'nvidia.com',
      ...Object.fromEntries(['team', 'example.com/cost', 'a', 'b', 'c', 'd'].map((name) => [`spark.kubernetes.driver.label.${name}`, `${name.at(0)}-{{APP_ID}}`])),
      'spark.kubernetes.driver.annotation.note': 'id {{APP_ID}}{{EXECUTOR_ID}}: = # ! \\ ünïcödé',
      ...Object.fromEntries([...'QWERTZUIOP'].map((name) => [`spark.kubernetes.driverEnv.${name}`, `value of ${name}`])),
      'spark.kubernetes.driverEnv.EMPTY': '',
      ...Object.fromEntries([...'ASDFGHJKL'].map((name) => [`spark.kubernetes.driver.secretKeyRef.${name}`, `secret-${name.toLowerCase()}:key`])),
      ...Object.fromEntries(['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta'].map((name) => [`spark.kubernetes.driver.secrets.${name}`, `/etc/${name}`])),
      ...Object.fromEntries(['v1', 'v2', 'v3', 'v4'].flatMap((name) => Object.entries({
        'mount.path': `/mnt/${name}`, 'options.claimName': 'OnDemand', 'options.storageClass': 'fast', 'options.sizeLimit': '10Gi', 'label.of': name, 'annotation.of': name,
      }).map(([key, value]) => [`spark.kubernetes.driver.volumes.persistentVolumeClaim.${name}.${key}`, value]))),
      'spark.kubernetes.driver.volumes.hostPath.host.mount.path': '/mnt/host', 'spark.kubernetes.driver.volumes.hostPath.host.options.path': '/host',
      'spark.kubernetes.driver.volumes.hostPath.host.mount.readOnly': 'true',
      'spark.kubernetes.driver.volumes.emptyDir.memory.mount.path': '/mnt/memory', 'spark.kubernetes.driver.volumes.emptyDir.memory.options.medium': 'Memory',
      'spark.kubernetes.driver.volumes.emptyDir.memory.mount.subPath': 'sub',
      'spark.kubernetes.driver.volumes.nfs.share.mount.path': '/mnt/share', 'spark.kubernetes.driver.volumes.nfs.share.options.path': '/export',
      'spark.kubernetes.driver.volumes.nfs.share.options.server': 'nfs.example',
      'spark.kubernetes.node.selector.zone': 'a', 'spark.kubernetes.driver.node.selector.disk': 'ssd',
      'spark.kubernetes.authenticate.driver.serviceAccountName': 'spark', 'spark.kubernetes.scheduler.name': 'volcano',
      'spark.driver.port': '17078', 'spark.blockManager.port': '17079', 'spark.ui.port': '14040',
      'spark.kubernetes.driver.service.label.a': 'b', 'spark.kubernetes.driver.service.annotation.c': 'd',
      'spark.kubernetes.driver.service.ipFamilyPolicy': 'PreferDualStack', 'spark.kubernetes.driver.service.ipFamilies': 'IPv4,IPv6',
      'spark.local.dir': '/tmp/a,/tmp/b,/tmp/c,/tmp/d,/tmp/e,/tmp/f', 'spark.kubernetes.local.dirs.tmpfs': 'true',
      'spark.kubernetes.hadoop.configMapName': 'hadoop', 'spark.kubernetes.kerberos.krb5.configMapName': 'krb5',
      'spark.kubernetes.kerberos.tokenSecret.name': 'tokens', 'spark.kubernetes.kerberos.tokenSecret.itemKey': 'token',
      'spark.jars': 'https://r.example/a.jar,s3a://bucket/b.jar', 'spark.files': 'local:///opt/f.txt', 'spark.archives': 'https://r.example/c.zip#c',
      'spark.jars.packages': 'org.example:alpha:1.0.0',
      'spark.hadoop.fs.s3a.endpoint': 'https://s3.example:9000',
      'spark.odd key:\\#!': ' leading and trailing \n\ttwo lines ',
    },
  },

  'a template': {
    application: PI,
    driverTemplate: DRIVER_TEMPLATE,
    properties: {
      ...IMAGE, 'spark.kubernetes.driver.podTemplateContainerName': 'spark', 'spark.kubernetes.driver.label.team': 'replaced', 'spark.kubernetes.driver.request.cores': '500m',
      'spark.kubernetes.container.image.pullSecrets': 'mine', 'spark.kubernetes.node.selector.zone': 'a', 'spark.kubernetes.authenticate.driver.serviceAccountName': 'spark',
    },
  },

  'a Connect server': { properties: IMAGE, application: { ...PI, mainClass: 'org.apache.spark.sql.connect.service.SparkConnectServer', resource: 'spark-internal', arguments: [] } },

  'wrong memory': { properties: { ...IMAGE, 'spark.driver.memory': 'lots' }, application: PI },
};
