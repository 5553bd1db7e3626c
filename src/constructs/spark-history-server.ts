import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { constructsOf } from './_app';
import { SPARK_USER_ID } from '../api/labels';
import type { Problem } from '../model/problem';
import { EVENT_LOG_FOLDER, type EventLogSpec } from './_event-logs';
import { serverProperties, serverViolations } from './_history-server';
import { CONF_FILE, deploymentSpec, PORT } from './_history-server-pod';
import { placeOf, rejectConstructs } from '../props/_foreign-constructs';
import { labelObjects } from './_labels';
import { DNS, networkPolicy } from './_network-policies';
import { replacedObjects } from './_replaced-objects';
import { HISTORY_SERVER_PROP_TYPES } from './_construct-prop-types';
import { checkedProps, withoutRepetitions } from '../props/_prop-types';
import { reportAtSynth } from './_report';
import { exposeService } from './_service-exposure';
import { NetworkPeer, NetworkPort } from './network-peer';
import { SparkHistoryServerProps } from './spark-history-server-props';
import { SparkJobNamespace } from './spark-job-namespace';
import { SparkWorkload } from './spark-workload';

/** Name of the volume in drivers. */
const VOLUME = 'spark-event-logs';

const NAME = 'spark-history-server';

/**
 * Spark's history server: the web UI of applications that have ended, from their event logs on a
 * volume or in an object store.
 *
 * It is secure by default, by the restricted Pod Security Standard: it runs as a non-root user on a
 * read-only root file system, without capabilities. It has no token for the API server. Only pods
 * of its namespace can open it.
 */
export class SparkHistoryServer extends Construct {
  /** Name of the Deployment, the Service and the service account. */
  public readonly name: string;

  /** Name of the Deployment. */
  public readonly deploymentName: string;

  /** Name of the Service. */
  public readonly serviceName: string;

  /** Name of the service account. */
  public readonly serviceAccountName: string;

  /** Name of the claim with the event logs; undefined without a volume. */
  public readonly claimName?: string;

  /** Namespace of the history server; undefined if it is unknown at synthesis. */
  public readonly namespace?: string;

  /** Port of the Service. */
  public readonly port: number = PORT;

  /**
   * Spark properties with which an application writes event logs for this history server: for
   * `defaults` of a ConfigMap, applications that are defined elsewhere, and `sparkConf` of a
   * ScheduledSparkApplication. `connect` sets them. With a volume, drivers also need its group:
   * `podSecurityContext: { fsGroup: 185 }`, or the `userId` of the history server.
   */
  public readonly eventLogConf: { [key: string]: string };

  private readonly logs: EventLogSpec;
  /**
   * A volume belongs to root, unless it is assigned to a group. A platform that assigns users also
   * assigns the group.
   */
  private readonly volumeGroup?: number;
  /** Problems of what was connected from other namespaces. */
  private readonly elsewhere: Problem[] = [];
  private readonly connected: SparkWorkload[] = [];
  /** Names of the namespaces whose workloads are connected. */
  private readonly namespaces = new Set<string>();

  constructor(scope: Construct, id: string, props: SparkHistoryServerProps) {
    super(scope, id);
    rejectConstructs(this, props ?? {});
    const { props: valid, problems: ofTypes } = checkedProps(props, HISTORY_SERVER_PROP_TYPES, this);
    if (!valid.eventLogs) throw new Error(`${placeOf(this)}: eventLogs is missing; write one such as EventLogStorage.s3('bucket')`);
    const accepted = { ...valid, sparkVersion: valid.sparkVersion ?? '' };
    this.name = accepted.name ?? NAME;
    this.deploymentName = this.serviceName = this.serviceAccountName = this.name;
    this.logs = withRole(accepted.eventLogs._toEventLogs(this.name), accepted);
    this.namespace = accepted.namespace ?? Chart.of(this).namespace;
    this.claimName = this.logs.claim?.name;
    this.eventLogConf = eventLogConf(this.logs);
    this.volumeGroup = this.logs.claim && !accepted.userIdFromPlatform ? accepted.userId ?? SPARK_USER_ID : undefined;

    const problems = withoutRepetitions(ofTypes, serverViolations(this.logs, accepted));
    reportAtSynth(this, () => [...problems, ...this.elsewhere, ...this.newer(accepted), ...replacedObjects(this, 'choose another name')]);
    // Wrong props give no objects.
    if (problems.length > 0) return;
    this.create(accepted);
    labelObjects(this, NAME, this.name);
  }

  /** Creates all objects. */
  private create(props: SparkHistoryServerProps): void {
    const labels = { 'app.kubernetes.io/name': NAME, 'app.kubernetes.io/instance': this.name };
    const properties = serverProperties(this.logs, props);
    const add = (objectId: string, kind: string, rest: object, { apiVersion = 'v1', name = this.name, annotations }: {
      apiVersion?: string;
      name?: string;
      annotations?: { [key: string]: string };
    } = {}) => (
      new ApiObject(this, objectId, {
        apiVersion, kind, metadata: { name, namespace: this.namespace, labels, ...(annotations && { annotations }) }, ...rest,
      })
    );
    add('ServiceAccount', 'ServiceAccount', { automountServiceAccountToken: false }, { annotations: props.serviceAccountAnnotations });
    if (this.logs.claim?.manifest) {
      add('Claim', 'PersistentVolumeClaim', { spec: this.logs.claim.manifest }, { name: this.logs.claim.name });
    }
    add('Properties', 'ConfigMap', { data: { [CONF_FILE]: properties } });
    this.isolate(props, labels);
    add('Service', 'Service', { spec: { selector: labels, ports: [{ name: 'http', port: PORT, targetPort: 'http', protocol: 'TCP' }] } });
    const image = props.image ?? `apache/spark:${props.sparkVersion}`;
    add('Deployment', 'Deployment', {
      spec: deploymentSpec(
        { name: this.name, image, labels, logs: this.logs, properties }, props,
      ),
    }, { apiVersion: 'apps/v1' });
    exposeService(this, '', { name: this.name, namespace: this.namespace, portName: 'http', port: PORT, labels }, props);
  }

  /**
   * Address of the web UI for clients in the cluster, such as
   * `http://spark-history-server.spark:18080`.
   */
  public get url(): string {
    return `http://${this.serviceName}${this.namespace === undefined ? '' : `.${this.namespace}`}:${PORT}`;
  }

  /**
   * Makes applications, schedules and Spark Connect servers write event logs for this history
   * server. With a volume they must run in its namespace.
   *
   * @param workloads the applications, schedules and servers
   */
  public connect(...workloads: SparkWorkload[]): void {
    for (const workload of workloads) {
      this.checkNamespace(workload, workload._namespace);
      this.connected.push(workload);
      for (const [key, value] of Object.entries(this.eventLogConf)) workload.addSparkConf(key, value);
      if (this.volumeGroup !== undefined) workload._ownVolumesOfDriver(this.volumeGroup);
    }
  }

  /**
   * Makes all applications of a namespace write event logs for this history server, unless they set
   * other properties, however they are created. The operator must have ConfigMaps with defaults
   * enabled. With a volume it must be the namespace of the history server.
   *
   * @param jobNamespace the namespace
   */
  public connectNamespace(jobNamespace: SparkJobNamespace): void {
    this.checkNamespace(jobNamespace, jobNamespace.name);
    this.namespaces.add(jobNamespace.name);
    for (const [key, value] of Object.entries(this.eventLogConf)) jobNamespace.addSparkConf(key, value);
    if (this.volumeGroup !== undefined) jobNamespace._ownVolumesOfDrivers(this.volumeGroup);
  }

  /** Event logs of a newer version can have events that the server does not know. */
  private newer({ sparkVersion }: SparkHistoryServerProps): Problem[] {
    const ofNamespaces = constructsOf(this, SparkWorkload).filter(({ _namespace = '' }) => this.namespaces.has(_namespace));
    const newer = [...this.connected, ...ofNamespaces].find(({ _sparkVersion: version }) => (
      version !== undefined && compareVersions(sparkVersion, version) < 0
    ));
    return newer === undefined ? [] : [{
      path: 'sparkVersion', value: sparkVersion, reason: `is older than that of ${newer.node.path}, ${newer._sparkVersion}`,
      remedy: 'use at least the version of the applications',
    }];
  }

  /** A claim can be used only in its own namespace. */
  private checkNamespace(user: Construct, namespace: string | undefined): void {
    const { logs: { claim } } = this;
    if (!claim || namespace === undefined || this.namespace === undefined || namespace === this.namespace) return;
    this.elsewhere.push({
      path: 'eventLogs', value: claim.name,
      reason: `is a claim in namespace ${this.namespace}, but ${user.node.path} is in namespace ${namespace}`,
      remedy: 'run it there, or store event logs in an object store',
    });
  }

  private isolate(
    { isolated, clients, dns, egress, ingress, httpRoute }: SparkHistoryServerProps, labels: { [key: string]: string },
  ): void {
    if (isolated === false) return;
    const byDefault = ingress || httpRoute ? NetworkPeer.anywhere() : NetworkPeer.pods({});
    // For an unknown store, the user must set `egress`.
    const store = this.logs.claim ? [] : this.logs.traffic ?? (egress ? [] : [{ peers: [NetworkPeer.anywhere()] }]);
    networkPolicy(this, 'NetworkPolicy', {
      name: this.name,
      namespace: this.namespace,
      pods: { matchLabels: labels },
      ingress: [{ peers: clients ?? [byDefault], ports: [NetworkPort.tcp(PORT)] }],
      egress: [dns ?? DNS, ...store, ...egress ?? []],
    });
  }
}

/** Compares the numbers of two versions. */
function compareVersions(one: string, other: string): number {
  const numbers = (version: string) => version.split(/[.-]/).slice(0, 3).map((part) => Number(part) || 0);
  const [a, b] = [numbers(one), numbers(other)];
  return a.map((part, index) => part - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/**
 * Adds a credentials provider, because Hadoop 3.4 does not use the token of a role by default.
 * Spark 3 has Hadoop 3.3, with other classes. If the user sets credentials, nothing is added: a
 * setting for one bucket would hide the user's setting for all.
 */
function withRole(logs: EventLogSpec, { sparkVersion, serviceAccountAnnotations }: SparkHistoryServerProps): EventLogSpec {
  const hasRole = serviceAccountAnnotations?.['eks.amazonaws.com/role-arn'] !== undefined && !sparkVersion.startsWith('3.');
  const ofBucket = logs.credentialsProperty?.slice(0, -'aws.credentials.provider'.length);
  const isSet = [
    'spark.hadoop.fs.s3a.', ofBucket,
  ].some((prefix) => CREDENTIALS.some((name) => logs.conf[`${prefix}${name}`] !== undefined));
  if (logs.credentialsProperty === undefined || !hasRole || isSet) return logs;
  return { ...logs, conf: { [logs.credentialsProperty]: WEB_IDENTITY, ...logs.conf } };
}

const CREDENTIALS = ['aws.credentials.provider', 'access.key', 'secret.key'];

const WEB_IDENTITY = 'software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider';

/**
 * Only the driver writes event logs and mounts the volume. But executors also get the properties of
 * Hadoop and might use the same store, so both get the variables and Secrets to which the
 * properties refer.
 */
function eventLogConf({ uri, conf, claim, secretEnv, secretFiles }: EventLogSpec): { [key: string]: string } {
  const volume = `spark.kubernetes.driver.volumes.persistentVolumeClaim.${VOLUME}`;
  return {
    'spark.eventLog.enabled': 'true',
    'spark.eventLog.dir': uri,
    ...conf,
    ...(claim && {
      [`${volume}.mount.path`]: EVENT_LOG_FOLDER, [`${volume}.options.claimName`]: claim.name,
      ...(claim.subPath && { [`${volume}.mount.subPath`]: claim.subPath }),
    }),
    ...Object.fromEntries(['driver', 'executor'].flatMap((role) => [
      ...Object.entries(secretEnv).map(([variable, { name, key }]) => [
        `spark.kubernetes.${role}.secretKeyRef.${variable}`, `${name}:${key}`,
      ]),
      ...Object.entries(secretFiles).map(([secretName, path]) => [`spark.kubernetes.${role}.secrets.${secretName}`, path]),
    ])),
  };
}
