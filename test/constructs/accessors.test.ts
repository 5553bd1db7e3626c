import { Chart, Size, Testing } from 'cdk8s';
import { EventLogStorage, SparkConnect, SparkHistoryServer, SparkOperator, type SparkOperatorProps } from '../../src';
import { serverPodName } from '../../src/model/spark-connect';

/** Returns the kinds and names of the objects of a chart. */
const objectsOf = (chart: Chart) => Testing.synth(chart).map(({ kind, metadata: { name } }) => `${kind} ${name}`);

function operator(props: SparkOperatorProps) {
  const chart = Testing.chart();
  return { chart, of: new SparkOperator(chart, 'operator', { installCrds: false, ...props }) };
}

test('names of the operator are those of its objects', () => {
  const { chart, of } = operator({ webhook: { deployment: {} }, console: {} });
  const names = {
    [`Deployment ${of.deploymentName}`]: 'spark-operator',
    [`Service ${of.metricsServiceName}`]: 'spark-operator-metrics',
    [`Service ${of.webhookServiceName}`]: 'spark-operator-webhook-svc',
    [`Deployment ${of.webhookDeploymentName}`]: 'spark-operator-webhook',
    [`Service ${of.consoleServiceName}`]: 'spark-operator-console',
    [`ServiceAccount ${of.serviceAccountName}`]: 'spark-operator',
  };
  expect(Object.keys(names).map((object) => object.split(' ')[1])).toEqual(Object.values(names));
  expect(objectsOf(chart)).toEqual(expect.arrayContaining(Object.keys(names)));
});

test('there is no name of an object that the operator does not have', () => {
  const { of } = operator({ metrics: { enabled: false } });
  expect(of).toMatchObject({
    metricsServiceName: undefined, webhookServiceName: undefined, webhookDeploymentName: undefined, consoleServiceName: undefined,
  });
});

test('names and address of the history server', () => {
  const chart = Testing.chart();
  const server = new SparkHistoryServer(chart, 'history', {
    sparkVersion: '4.1.1', name: 'history', namespace: 'spark', eventLogs: EventLogStorage.newClaim({ size: Size.gibibytes(10), claimName: 'logs' }),
  });
  expect(objectsOf(chart)).toEqual(expect.arrayContaining([
    `Deployment ${server.deploymentName}`, `Service ${server.serviceName}`, `ServiceAccount ${server.serviceAccountName}`,
    `PersistentVolumeClaim ${server.claimName}`,
  ]));
  expect(server.url).toBe('http://history.spark:18080');
});

test('the Pod of a Spark Connect server has the name that the operator gives it', () => {
  const { serverPodName: name, resource } = new SparkConnect(Testing.chart(), 'notebooks', { sparkVersion: '4.1.1' });
  expect(name).toBe(serverPodName({ metadata: { name: resource.name } } as never));
});
