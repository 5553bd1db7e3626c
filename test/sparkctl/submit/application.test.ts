/* The SparkApplication for a command line of spark-submit. */
import { sparkProperties } from '../../../src/plan/properties/properties';
import type { SparkApplicationSpec } from '../../../src/api/spark-application';
import { submittedApplication } from '../../../src/sparkctl/submit/application';
import { submitLine } from '../../../src/sparkctl/submit/command-line';
import { requestOf } from '../../../src/sparkctl/submit/request';

const FACTS = { name: 'etl', sparkVersion: '4.1.1' };

function application(words: readonly string[]) {
  return submittedApplication(requestOf(submitLine(words), [], {}), FACTS);
}

const specOf = (words: readonly string[]) => application(words).object.spec as SparkApplicationSpec;

test('properties become the fields that set them, and others stay in sparkConf', () => {
  expect(specOf([
    '--class', 'org.example.Etl', '--executor-memory', '4g', '--executor-cores', '2', '--driver-memory', '1g', '--jars', 'a.jar, b.jar', '--packages', 'g:a:1', '--proxy-user', 'joe', '--driver-java-options', '-Dx=y',
    ...[
      'spark.kubernetes.container.image=apache/spark:4.1.1', 'spark.kubernetes.authenticate.driver.serviceAccountName=spark', 'spark.kubernetes.container.image.pullSecrets=a,b', 'spark.kubernetes.container.image.pullPolicy=Always',
      'spark.kubernetes.driver.annotation.team=data', 'spark.kubernetes.driver.label.team=data', 'spark.hadoop.fs.s3a.endpoint=http://s3', 'spark.kubernetes.node.selector.disk=ssd', 'spark.kubernetes.executor.request.cores=500m',
      'spark.executorEnv.A=b', 'spark.kubernetes.driver.secretKeyRef.P=s:k', 'spark.sql.shuffle.partitions=7', 'spark.driver.cores=02', 'spark.kubernetes.executor.deleteOnTermination=false',
      'spark.master=k8s://https://x', 'spark.submit.deployMode=cluster', 'spark.app.name=My ETL', 'spark.kubernetes.namespace=jobs',
    ].flatMap((conf) => ['--conf', conf]),
    'local:///opt/etl.jar', '2026-03-01',
  ])).toEqual({
    type: 'Java', sparkVersion: '4.1.1', image: 'apache/spark:4.1.1', mainClass: 'org.example.Etl', mainApplicationFile: 'local:///opt/etl.jar', arguments: ['2026-03-01'],
    deps: { jars: ['a.jar', 'b.jar'], packages: ['g:a:1'] },
    hadoopConf: { 'fs.s3a.endpoint': 'http://s3' }, imagePullPolicy: 'Always', imagePullSecrets: ['a', 'b'], nodeSelector: { disk: 'ssd' }, proxyUser: 'joe',
    sparkConf: {
      // Not the text that the field would write, no field of this type, and set by several fields.
      'spark.driver.cores': '02', 'spark.kubernetes.driver.secretKeyRef.P': 's:k', 'spark.kubernetes.driver.label.team': 'data',
      'spark.sql.shuffle.partitions': '7',
    },
    driver: { memory: '1g', serviceAccount: 'spark', annotations: { team: 'data' }, javaOptions: '-Dx=y' },
    executor: { memory: '4g', cores: 2, coreRequest: '500m', envVars: { A: 'b' }, instances: 2, deleteOnTermination: false },
  });
});

test('two executors by default, as in Spark, but not with dynamic allocation', () => {
  expect(specOf(['a.py']).executor).toEqual({ instances: 2 });
  expect(specOf(['-c', 'spark.dynamicAllocation.enabled=true', '-c', 'spark.dynamicAllocation.maxExecutors=9', 'a.py'])).toMatchObject({ dynamicAllocation: { enabled: true, maxExecutors: 9 }, executor: {} });
  expect(specOf(['-c', 'spark.dynamicAllocation.maxExecutors=9', 'a.py']).sparkConf).toEqual({ 'spark.dynamicAllocation.maxExecutors': '9' });
});

test.each([['a.py', 'Python'], ['s3a://b/a.R', 'R'], ['a.jar', 'Java'], ['spark-internal', 'Java']])('%s is %s', (resource, type) => {
  expect(specOf([resource])).toMatchObject({ type, mainApplicationFile: resource });
});

test('the origin of each value is an argument', () => {
  const { origins, notes } = application(['--executor-memory', '4g', '-c', 'spark.a=b', '-c', 'spark.kubernetes.authenticate.submission.oauthToken=s3cr3t', 'a.py']);
  expect(Object.fromEntries(origins)).toMatchObject({ 'spec.executor.memory': '--executor-memory', 'spec.sparkConf[spark.a]': '--conf spark.a' });
  expect(notes).toEqual(['--conf spark.kubernetes.authenticate.submission.oauthToken has no effect: sparkctl logs in by the kubeconfig']);
  expect(JSON.stringify(application(['-c', 'spark.kubernetes.authenticate.submission.oauthToken=s3cr3t', 'a.py']).object)).not.toContain('s3cr3t');
});

test('the planner makes the same properties of it', () => {
  const given = {
    'spark.executor.memory': '4g', 'spark.executor.cores': '2', 'spark.jars.packages': 'g:a:1', 'spark.kubernetes.container.image': 'apache/spark:4.1.1', 'spark.hadoop.a.b': 'c', 'spark.executor.instances': '3',
    'spark.dynamicAllocation.enabled': 'true', 'spark.dynamicAllocation.shuffleTracking.timeout': '60s', 'spark.kubernetes.driver.label.team': 'data', 'spark.kubernetes.node.selector.disk': 'ssd', 'spark.driver.memoryOverheadFactor': '0.2',
    'spark.kubernetes.memoryOverheadFactor': '0.3', 'spark.kubernetes.executor.scheduler.name': 'mine', 'spark.driver.extraJavaOptions': '-Dx=y',
  };
  const { object } = application([...Object.entries(given).flatMap(([key, value]) => ['--conf', `${key}=${value}`]), 'local:///a.py']);
  const { properties } = sparkProperties({ metadata: { name: 'etl', namespace: 'jobs', uid: '1' }, spec: object.spec as SparkApplicationSpec }, { attempt: 1, submissionID: 'x' });
  expect(Object.fromEntries(properties.entries())).toMatchObject(given);
});
