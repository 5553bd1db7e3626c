/* Variables that executors do not get, which only the driver's log would report. */
import { prepareSubmission } from '../../../src/plan/prepare';
import { problemText } from '../../../src/model/problem';
import { application, type Changes, CONTEXT } from '../application';

const warnings = (changes: Changes) => prepareSubmission(application(changes), CONTEXT).warnings.map(problemText);

test.each(['1ST', 'A B', 'A/B', 'A:B', '%'])('Spark ignores %s', (name) => {
  expect(warnings({ executor: { envVars: { [name]: 'hush' } } })).toEqual([
    expect.stringMatching(/^spec\.executor\.envVars\[.*\] is ignored by Spark.*spec\.executor\.env$/),
  ]);
  expect(warnings({ spec: { sparkConf: { [`spark.executorEnv.${name}`]: 'hush' } } })).toEqual([
    expect.stringContaining(`spec.sparkConf[spark.executorEnv.${name}] is ignored`),
  ]);
});

test.each<[why: string, changes: Changes]>([
  ['a name that Spark takes', { executor: { envVars: { '-a.B_9': 'x' } } }],
  ['a variable of the driver', { driver: { envVars: { '1ST': 'x' } } }],
  ['one from a Secret', { executor: { envSecretKeyRefs: { '1ST': { name: 's', key: 'k' } } } }],
  ['one in env, which is in the template', { executor: { env: [{ name: '1ST', value: 'x' }] } }],
  ['a secret, if Spark reads it from a file', {
    spec: {
      sparkConf: { 'spark.authenticate': 'true', 'spark.authenticate.secret.file': '/f' },
    }, executor: { envVars: { _SPARK_AUTH_SECRET: 'x' } },
  }],
  ['a secret, if executors read it from a file', {
    spec: { sparkConf: { 'spark.authenticate': 'true', 'spark.authenticate.secret.executor.file': '/f' } },
    executor: { envVars: { _SPARK_AUTH_SECRET: 'x' } },
  }],
  ['an option of the JVM behind those of Spark', {
    spec: { sparkConf: { 'spark.executor.extraJavaOptions': "-Da='b c'" } }, executor: { envVars: { SPARK_JAVA_OPT_2: 'x' } },
  }],
  ['a class path without another one', { executor: { envVars: { SPARK_CLASSPATH: '/a' } } }],
])('no warning for %s', (_, changes) => {
  expect(warnings(changes)).toEqual([]);
});

test.each([
  ['SPARK_EXECUTOR_POD_IP', {}, "Spark's own"],
  ['SPARK_LOCAL_DIRS', {}, "Spark's own"],
  ['SPARK_JAVA_OPT_0', {}, "Spark's own"],
  ['SPARK_JAVA_OPT_2', { 'spark.executor.extraJavaOptions': '-Da=b -Dc=d' }, "Spark's own"],
  ['SPARK_JAVA_OPT_1', { 'spark.network.timeout': '60s' }, "Spark's own"],
  ['SPARK_CLASSPATH', { 'spark.executor.extraClassPath': '/b' }, 'spec.sparkConf[spark.executor.extraClassPath]'],
  ['_SPARK_AUTH_SECRET', { 'spark.authenticate': 'true' }, "Spark's own"],
])('%s with %j is overridden by %s', (name, sparkConf, by) => {
  expect(warnings({ spec: { sparkConf }, executor: { envVars: { [name]: 'x' } } })).toEqual([
    `spec.executor.envVars[${name}] is overridden by ${by}`,
  ]);
});
