/* `sparkctl convert`: applications of Apache's operator as v1beta2. */
import { sparkctl } from '../../helpers';

const APPLICATION = `# Counts words.
apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata:
  name: words
  namespace: jobs # of the team
  finalizers: [sparkapplications.spark.apache.org/finalizer]
spec:
  # The program.
  mainClass: org.example.Words
  jars: "local:///opt/app/lib.jar,local:///opt/app/words.jar" # two
  driverArgs: ["--day", "today"]
  sparkConf:
    spark.kubernetes.container.image: "registry/spark:{{SPARK_VERSION}}"
    # The account of drivers.
    spark.kubernetes.authenticate.driver.serviceAccountName: spark
    spark.sql.shuffle.partitions: "8"
  driverSpec:
    podTemplateSpec:
      spec:
        # Urgent.
        priorityClassName: high
  # Its end.
  applicationTolerations:
    resourceRetainPolicy: OnFailure
    ttlAfterStopMillis: 10500
    restartConfig:
      restartPolicy: OnFailure
      maxRestartAttempts: 5
      maxRestartOnSchedulingFailure: 2
      restartBackoffMillis: 20000
    instanceConfig:
      initExecutors: 2
  runtimeVersions:
    sparkVersion: "4.1.1"
    scalaVersion: "2.13"
  configMapSpecs:
  - name: metrics
    data: {"yes": "no"}
  driverServiceIngressList:
  - serviceMetadata: {name: words-ui, namespace: elsewhere}
    serviceSpec:
      ports: [{port: 80, targetPort: 4040}]
    ingressMetadata: {name: words-ui}
    ingressSpec: {ingressClassName: nginx}
status:
  currentState: {currentStateSummary: Submitted}
`;

const CONVERTED = `# Counts words.
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata:
  name: words
  namespace: jobs # of the team
spec:
  type: Java
  # The program.
  mainClass: org.example.Words
  mainApplicationFile: "local:///opt/app/words.jar" # two
  deps:
    jars:
      - local:///opt/app/lib.jar
  arguments: ["--day", "today"]
  sparkConf:
    spark.kubernetes.container.image: "registry/spark:4.1.1"
    # The account of drivers.
    spark.sql.shuffle.partitions: "8"
    # Defaults of Apache's operator.
    spark.authenticate: "true"
    spark.io.encryption.enabled: "true"
    spark.kubernetes.driver.annotateExitException: "true"
    spark.kubernetes.executor.useDriverPodIP: "true"
  driver:
    serviceAccount: spark
    template:
      spec:
        # Urgent.
        priorityClassName: high
  # Its end.
  restartPolicy:
    type: OnFailure
    onFailureRetries: 5
    onSubmissionFailureRetries: 2
    onFailureRetryInterval: 20
    onSubmissionFailureRetryInterval: 20
    backoff:
      type: Exponential
      maxInterval: 20
  timeToLiveSeconds: 11
  sparkVersion: 4.1.1
  executor:
    instances: 2
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: metrics
  namespace: jobs
data:
  "yes": "no"
---
apiVersion: v1
kind: Service
metadata:
  name: words-ui
  namespace: jobs
spec:
  ports:
    - port: 80
      targetPort: 4040
  selector:
    sparkoperator.k8s.io/app-name: words
    spark-role: driver
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: words-ui
  namespace: jobs
spec:
  ingressClassName: nginx
  rules:
    - http:
        paths:
          - path: /
            pathType: ImplementationSpecific
            backend:
              service:
                name: words-ui
                port:
                  number: 80
`;

const convert = (text: string, ...options: string[]) => sparkctl(['convert', 'a.yaml', ...options], { files: { 'a.yaml': text } });

test('translates fields, keeps comments, and names the rest with its line', async () => {
  const { code, stdout, stderr } = await convert(APPLICATION);
  expect(stdout).toBe(CONVERTED);
  expect(code).toBe(0);
  const places = stderr.map((line) => /^a\.yaml:(\d+):\d+: (\w+): SparkApplication (?:jobs\/)?words: (\S+)/.exec(line)?.slice(1).join(' '));
  expect(places.sort()).toEqual([
    '25 note spec.applicationTolerations.resourceRetainPolicy',
    '33 warning spec.applicationTolerations.instanceConfig.initExecutors',
    '36 note spec.runtimeVersions.scalaVersion',
    '38 warning spec.configMapSpecs[0]',
    '41 warning spec.driverServiceIngressList[0]',
    '46 note status',
    '7 note metadata.finalizers',
  ]);
});

test('a second conversion changes nothing, and the result is valid', async () => {
  expect(await convert(CONVERTED)).toMatchObject({ code: 0, stdout: CONVERTED, stderr: [] });
  const [application] = CONVERTED.split('---\n');
  expect(await sparkctl(['validate', '-'], { stdin: application })).toMatchObject({ code: 0, stderr: [] });
});

test('--write replaces the file, with the objects behind it', async () => {
  expect(await convert(APPLICATION, '--write')).toMatchObject({ code: 0, stdout: 'a.yaml converted\n', written: { 'a.yaml': CONVERTED } });
});

const minimal = (fields: string, version = 'v1') => `apiVersion: spark.apache.org/${version}
kind: SparkApplication
metadata: {name: pi}
spec:
  runtimeVersions: {sparkVersion: 4.1.1}
${fields.replaceAll(/^/gm, '  ')}
`;
const CONF = 'sparkConf: {spark.kubernetes.container.image: "apache/spark:4.1.1"';
const JAR = `mainClass: a.B\njars: local:///a.jar\n${CONF}`;

test.each([
  ['a class of Spark', `mainClass: a.B\n${CONF}}`, ['type: Java\n', 'mainApplicationFile: spark-internal\n', 'mainClass: a.B']],
  ['Python', `pyFiles: local:///a.py\n${CONF}}`, ['type: Python\n', 'mainApplicationFile: local:///a.py\n', 'pyFiles:\n      - local:///a.py\n']],
  [
    'Python with its runner', `mainClass: org.apache.spark.deploy.PythonRunner\npyFiles: "local:///a.py,local:///b.zip"\n${CONF}}`,
    ['mainApplicationFile: "local:///a.py"\n', 'pyFiles:\n      - local:///b.zip\n'],
  ],
  ['R', `sparkRFiles: local:///a.R\n${CONF}}`, ['type: R\n', 'mainApplicationFile: local:///a.R\n']],
  ['a driver without executors', `${JAR}, spark.kubernetes.driver.master: "local[4]"}`, ['kubernetesMaster: local[4]', 'executor: {}']],
  [
    'restarts of the infrastructure only', `${JAR}}\napplicationTolerations: {restartConfig: {restartPolicy: OnInfrastructureFailure}}`,
    ['type: OnFailure', 'onFailureRetries: 0', 'onSubmissionFailureRetries: 3', 'onSubmissionFailureRetryInterval: 30'],
  ],
  ['an end without a limit', `${JAR}}\napplicationTolerations: {ttlAfterStopMillis: -1, resourceRetainPolicy: Always}`, ['deleteOnTermination: "false"']],
  ['an alias', `${JAR}}\ndriverSpec: {podTemplateSpec: &t {spec: {priorityClassName: p}}}\nexecutorSpec: {podTemplateSpec: *t}`, [
    'executor:\n    instances: 2\n    template:\n      spec:\n        priorityClassName: p\n',
  ]],
])('translates %s', async (_, fields, parts) => {
  const { code, stdout, stderr } = await convert(minimal(fields));
  for (const part of parts) expect(stdout).toContain(part);
  expect(stdout).not.toContain('timeToLiveSeconds');
  expect({ code, errors: stderr.filter((line) => line.includes(': error: ')) }).toEqual({ code: 0, errors: [] });
});

test.each([
  ['a standalone cluster as master', minimal(`${JAR}, spark.master: "spark://m:7077"}`), 'a.yaml:8:71: error: SparkApplication pi: spec.sparkConf[spark.master] cannot be converted'],
  ['a token', minimal(`${JAR}, spark.kubernetes.authenticate.driver.oauthToken: t}`), 'spec.sparkConf[spark.kubernetes.authenticate.driver.oauthToken] cannot be converted'],
  ['a SparkCluster', 'apiVersion: spark.apache.org/v1\nkind: SparkCluster\nmetadata: {name: c}\n', 'a.yaml:2:1: error: SparkCluster c: kind SparkCluster cannot be converted: this operator has no standalone clusters'],
  ['an old version', minimal(`${JAR}}`, 'v1alpha1'), 'apiVersion spark.apache.org/v1alpha1 cannot be converted: write spark.apache.org/v1'],
  ['no specification', 'apiVersion: spark.apache.org/v1\nkind: SparkApplication\nmetadata: {name: c}\n', 'spec is missing'],
])('reports %s', async (_, text, message) => {
  const { code, stderr } = await convert(text);
  expect(code).toBe(1);
  expect(stderr.filter((line) => line.includes(': error: '))).toContainEqual(expect.stringContaining(message));
});

test.each([
  ['restarts for ever', `${JAR}}\napplicationTolerations: {restartConfig: {restartPolicy: Always, maxRestartAttempts: 7}}`, 'Apache\'s operator stops after 7 restarts'],
  ['two delays', `${JAR}}\napplicationTolerations: {restartConfig: {restartPolicy: OnFailure, restartBackoffMillisForSchedulingFailure: 60000}}`, 'the delay of 30 s doubles up to 60 s'],
  ['client mode', `${JAR}}\ndeploymentMode: ClientMode`, 'spec.deploymentMode becomes mode: cluster'],
  ['ignored files', `${JAR}}\nfiles: local:///f`, 'spec.files becomes deps.files: Apache\'s operator ignores it'],
  ['an ignored program', `${JAR}}\npyFiles: local:///a.py`, 'spec.pyFiles is dropped: Apache\'s operator ignores it with jars'],
])('warns of %s', async (_, fields, message) => {
  const { code, stderr } = await convert(minimal(fields));
  expect(code).toBe(0);
  expect(stderr).toContainEqual(expect.stringMatching(new RegExp(`^a\\.yaml:\\d+:\\d+: warning: .*${message.replaceAll(/[[\]()]/g, '\\$&')}`)));
});

test.each<[string, string, string]>([
  ['jars', '[local:///a.jar]', 'a text'], ['sparkConf', '[a]', 'an object'], ['driverArgs', 'a', 'a list'], ['configMapSpecs', 'a', 'a list'],
  ['applicationTolerations', 'a', 'an object'],
])('reports spec.%s: %s, which would get lost', async (field, value, expected) => {
  const manifest = `apiVersion: spark.apache.org/v1\nkind: SparkApplication\nmetadata: {name: pi}\nspec:\n  mainClass: a.B\n  runtimeVersions: {sparkVersion: "4.1.1"}\n  ${field}: ${value}\n`;
  const { code, stderr } = await sparkctl(['convert', 'pi.yaml'], { files: { 'pi.yaml': manifest } });
  expect(code).toBe(1);
  expect(stderr.join('\n')).toContain(`spec.${field} is not ${expected}, so Apache's API server rejects it`);
});
