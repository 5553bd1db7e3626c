/* Applications of Apache's operator, converted by sparkctl, with real Spark: a job, and a Connect server with a Service of its own. */
import { ImagePullPolicy } from '../../src';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, SPARK_TIME, waitFor, waitForState, watch } from '../helpers/kubectl';
import { PATIENT } from '../helpers/patience';
import { sparkctl } from '../sparkctl/helpers';

let installation: Installation;
let jobs: string;

beforeAll(async () => {
  installation = await install('e2e-apache', { image: process.env.OPERATOR_IMAGE, imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT });
  jobs = installation.jobs;
  await waitFor(installation.namespace, 'deployment/spark-operator', 'condition=Available');
});

afterAll(() => installation?.remove());

/** JVMs that start quickly: the node has two CPUs for everything. */
const SPARK_CONF = {
  'spark.kubernetes.container.image': process.env.SPARK_IMAGE!.replace('4.1.1', '{{SPARK_VERSION}}'),
  'spark.kubernetes.authenticate.driver.serviceAccountName': 'spark',
  ...Object.fromEntries(['driver', 'executor'].flatMap((role) => [
    [`spark.${role}.memory`, '512m'], [`spark.kubernetes.${role}.request.cores`, '100m'],
    [`spark.${role}.extraJavaOptions`, '-XX:+UseSerialGC -XX:TieredStopAtLevel=1'],
  ])),
  'spark.executor.instances': '1',
  ...PATIENT,
};

async function applyConverted(name: string, spec: object): Promise<void> {
  const application = {
    apiVersion: 'spark.apache.org/v1', kind: 'SparkApplication', metadata: { name, namespace: jobs },
    spec: { runtimeVersions: { sparkVersion: '4.1.1' }, sparkConf: SPARK_CONF, ...spec },
  };
  const { code, stdout, stderr } = await sparkctl(['convert', '-'], { stdin: JSON.stringify(application) });
  expect({ code, errors: stderr.filter((line) => line.includes(': error: ')) }).toEqual({ code: 0, errors: [] });
  await apply(stdout);
}

test('a job with a ConfigMap and a template runs to its end, with encryption and authentication as there', async () => {
  await applyConverted('pi', {
    pyFiles: 'local:///opt/spark/applications/pi.py',
    configMapSpecs: [{ name: 'pi-settings', data: { greeting: 'hello' } }],
    driverSpec: { podTemplateSpec: { spec: {
      containers: [{ name: 'spark-kubernetes-driver', envFrom: [{ configMapRef: { name: 'pi-settings' } }] }],
    } } },
    applicationTolerations: { resourceRetainPolicy: 'OnFailure', restartConfig: { restartPolicy: 'OnFailure', maxRestartAttempts: 1 } },
  });
  await waitForState(jobs, 'pi', 'COMPLETED', SPARK_TIME);

  expect(await kubectl(['logs', 'pi-driver', '-n', jobs])).toMatch(/^Pi is roughly 3/m);
  const { spec: { containers: [{ envFrom }] } } = await get(jobs, 'pod', 'pi-driver');
  expect(envFrom).toEqual([{ configMapRef: { name: 'pi-settings' } }]);
});

test("a class of Spark's own runs as driver, and the Service of the application leads to it", async () => {
  await applyConverted('connect', {
    mainClass: 'org.apache.spark.sql.connect.service.SparkConnectServer',
    driverServiceIngressList: [{
      serviceMetadata: { name: 'connect' }, serviceSpec: { ports: [{ name: 'grpc', port: 443, targetPort: 15002 }] },
      ingressMetadata: { name: 'connect' }, ingressSpec: { ingressClassName: 'none' },
    }],
  });
  await waitForState(jobs, 'connect', 'RUNNING', SPARK_TIME);

  const { status: { podIP } } = await get(jobs, 'pod', 'connect-driver');
  const ready = await watch(
    ['endpointslices', '-n', jobs, '-l', 'kubernetes.io/service-name=connect', '-o', 'jsonpath={.endpoints[*].addresses[*]}:{.ports[*].port}{"\\n"}'],
    (line) => (line === `${podIP}:15002` ? line : undefined), SPARK_TIME,
  );
  expect(ready).toBe(`${podIP}:15002`);
  const { spec: { rules: [{ http: { paths: [{ backend }] } }] } } = await get(jobs, 'ingress', 'connect');
  expect(backend).toEqual({ service: { name: 'connect', port: { number: 443 } } });
  const isListening = async () => /Spark Connect server started at/.test(await kubectl(['logs', 'connect-driver', '-n', jobs]));
  const end = Date.now() + SPARK_TIME * 1000;
  while (!await isListening()) {
    if (Date.now() > end) throw new Error('the Connect server does not start');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}, 1_200_000);
