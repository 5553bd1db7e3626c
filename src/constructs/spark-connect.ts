import { Construct } from 'constructs';
import { uiSpec } from '../props/_application-spec';
import { rejectProps, seconds, sparkSize, wrongSeconds, wrongSize } from '../props/_check';
import { wrongImage, wrongLabelName, wrongName } from '../rules/names';
import { ApiSparkConnect } from './api-spark-connect';
import { SparkConnectProps, SparkConnectServerProps, SparkConnectServiceProps } from './spark-connect-props';
import { DRIVER_SERVICE_ACCOUNT } from '../api/labels';
import { SPARK_CONNECT, SparkConnectService, SparkConnectSpec } from '../api/spark-connect';
import { PodTemplateSpec } from '../k8s';
import { CONNECT_PORT, hasImage } from '../api/connect-server';
import type { Metadata } from '../rules/metadata';
import type { Problem } from '../model/problem';

/**
 * A Spark Connect server: clients of many users run queries on it, each in its own session, on
 * shared executors.
 *
 * The server runs as the service account `spark`, which `SparkOperator` creates in each job
 * namespace, unless `server.serviceAccount` or the server's template sets another. The construct
 * rejects mistakes that it can find without a cluster, with the prop, its value and the reason. A
 * cluster can still reject more.
 */
export class SparkConnect extends Construct {
  /** The custom resource. */
  public readonly resource: ApiSparkConnect;

  /** Name of the Service through which clients reach the server. */
  public readonly serviceName: string;

  constructor(scope: Construct, id: string, props: SparkConnectProps) {
    super(scope, id);
    rejectProps(SPARK_CONNECT.kind, this.node.path, [
      wrongSeconds('idleTimeToLive', props.idleTimeToLive),
      wrongName('server.serviceAccount', props.server?.serviceAccount),
      wrongImage('image', props.image),
      wrongLabelName('ui.portName', props.ui?.portName),
      wrongSize('server.memory', props.server?.memory),
      wrongSize('executor.memory', props.executor?.memory),
    ].flatMap((violation) => violation ?? []));
    this.resource = new Resource(this, 'Resource', { metadata: props.metadata, spec: specOf(props) });
    this.serviceName = props.server?.service?.name ?? `${this.resource.name}-server`;
  }

  /** Name of the resource. */
  public get name(): string {
    return this.resource.name;
  }

  /**
   * Address for clients in the cluster, such as `sc://notebooks-server.team-a:15002`:
   * `SparkSession.builder.remote(…)`.
   */
  public get url(): string {
    const { namespace } = this.resource.metadata;
    return `sc://${this.serviceName}${namespace === undefined ? '' : `.${namespace}`}:${CONNECT_PORT}`;
  }
}

function specOf(props: SparkConnectProps): SparkConnectSpec {
  const { server = {}, executor = {} } = props;
  return {
    sparkVersion: props.sparkVersion,
    image: props.image ?? (hasOwnImages(props) ? undefined : `apache/spark:${props.sparkVersion}`),
    sparkConf: props.sparkConf,
    hadoopConf: props.hadoopConf,
    server: { cores: server.cores, memory: sparkSize(server.memory), template: serverTemplate(server), service: serviceOf(server.service) },
    executor: { instances: executor.instances, cores: executor.cores, memory: sparkSize(executor.memory), template: executor.template },
    dynamicAllocation: props.dynamicAllocation?._toSpec(),
    suspend: props.suspend,
    restartPolicy: props.restartPolicy?._toSpec(),
    idleTimeToLiveSeconds: seconds(props.idleTimeToLive),
    sparkUIOptions: uiSpec(props.ui),
  };
}

/** A default must not take precedence over a setting elsewhere. */
function hasOwnImages({ sparkConf = {}, server, executor }: SparkConnectProps): boolean {
  const isSet = (role: string) => Boolean(sparkConf[`spark.kubernetes.${role}container.image`]);
  return isSet('')
    || ((isSet('driver.') || hasImage('server', server?.template)) && (isSet('executor.') || hasImage('executor', executor?.template)));
}

/** Only the template has a field for the service account. */
function serverTemplate({ serviceAccount, template }: SparkConnectServerProps): PodTemplateSpec {
  // The old name of the field would contradict the new one.
  const { serviceAccount: oldName, ...pod } = template?.spec ?? { containers: [] };
  const serviceAccountName = serviceAccount ?? (pod.serviceAccountName || oldName || DRIVER_SERVICE_ACCOUNT);
  return { ...template, spec: { ...pod, serviceAccountName } };
}

function serviceOf(service: SparkConnectServiceProps | undefined): SparkConnectService | undefined {
  if (!service) return undefined;
  const { name, type, labels, annotations } = service;
  return { metadata: { name, labels, annotations }, spec: type && { type } };
}

/** Props whose names differ from the manifest's. */
const PROPS: readonly (readonly [field: RegExp, prop: string])[] = [
  [/^spec\.server\.service\.metadata\b/, 'server.service'],
  [/^spec\.server\.service\.spec\b/, 'server.service'],
  [/^spec\.idleTimeToLiveSeconds$/, 'idleTimeToLive'],
  [/^spec\.sparkUIOptions\.servicePortName\b/, 'ui.portName'],
  [/^spec\.sparkUIOptions\.servicePort\b/, 'ui.port'],
  [/^spec\.sparkUIOptions\.ingressTLS\b/, 'ui.ingressTls'],
  [/^spec\.sparkUIOptions\b/, 'ui'],
  [/^spec\.dynamicAllocation\.shuffleTrackingEnabled$/, 'dynamicAllocation.shuffleTracking'],
  [/^spec[.]/, ''],
];

/** Resource of a SparkConnect, which reports problems with the names of props. */
class Resource extends ApiSparkConnect {
  protected override _specViolations(metadata: Metadata, spec: SparkConnectSpec): Problem[] {
    return super._specViolations(metadata, spec).map((violation) => {
      const [pattern, prop] = PROPS.find(([candidate]) => candidate.test(violation.path)) ?? [];
      const inProps = (text: string) => text.replace('spec.server.service.metadata.name', 'server.service.name')
        .replace(/\bspec\.(?=server|executor|sparkConf|dynamicAllocation)/g, '');
      const { path, reason, remedy } = violation;
      return {
        ...violation, path: pattern ? path.replace(pattern, prop!) : path, reason: inProps(reason),
        ...(remedy !== undefined && { remedy: inProps(remedy) }),
      };
    });
  }

  protected override _path(): string {
    return this.node.scope!.node.path;
  }
}
