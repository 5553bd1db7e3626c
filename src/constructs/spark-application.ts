import { isDeepStrictEqual } from 'util';
import { Construct } from 'constructs';
import { sparksOwnViolations } from '../props/_application-checks';
import { applicationSpec, withDefaultImages } from '../props/_application-spec';
import { ChangingSpec, Mutable } from '../props/_changing-spec';
import { refuseProps } from '../props/_check';
import { useLocalDirs } from '../props/_local-dirs';
import { inWordsOfProps } from '../props/_prop-paths';
import { ApiSparkApplication, lazily } from './api-spark-application';
import { LocalDir } from '../props/local-dir';
import { SparkApplicationProps } from '../props/spark-application-props';
import { objectName } from '../api/object-name';
import { SPARK_APPLICATION, SparkApplicationSpec } from '../api/spark-application';
import { DriverSpec, ExecutorSpec, SecretType } from '../api/spark-pod';
import { EnvVar, Volume } from '../k8s';
import type { Metadata } from '../rules/metadata';
import type { Violation } from '../model/problem';

/** The pods of an application. */
export enum SparkRole {
  /** The driver. */
  DRIVER = 'driver',
  /** The executors. */
  EXECUTOR = 'executor',
}

/** Where something is added. */
export interface RoleOptions {
  /**
   * The pods that get it.
   *
   * @default - driver and executors
   */
  readonly roles?: SparkRole[];
}

/** How a Secret is mounted. */
export interface MountSecretOptions extends RoleOptions {
  /**
   * What it holds. Of some kinds Spark is told where they are.
   *
   * @default SecretType.GENERIC
   */
  readonly type?: SecretType;
}

/** How a volume is mounted. */
export interface AddVolumeOptions extends RoleOptions {
  /**
   * Whether it can only be read.
   *
   * @default false
   */
  readonly readOnly?: boolean;

  /**
   * The part of the volume that is mounted.
   *
   * @default - all of it
   */
  readonly subPath?: string;
}

/**
 * A Spark application: the operator submits it, follows it and reports its state in the resource's status.
 *
 * The driver runs as the service account `spark`, which `SparkOperator` creates in each job namespace, unless `driver.serviceAccount` or the
 * driver's template names another.
 *
 * Mistakes that can be found without a cluster are rejected here, with the prop, its value and the reason:
 * the rules of the CRD, names, sizes, and combinations that Spark does not start with. Props are checked
 * at once, the whole when the chart is synthesized, with all that methods have added. The operator,
 * quotas, policies and webhooks of a cluster can still reject more.
 */
export class SparkApplication extends Construct {
  /** The custom resource. */
  public readonly resource: ApiSparkApplication;
  private readonly spec: ChangingSpec;

  constructor(scope: Construct, id: string, props: SparkApplicationProps) {
    super(scope, id);
    const { spec, found } = applicationSpec(props);
    refuseProps(SPARK_APPLICATION.kind, this.node.path, found);
    this.spec = spec;
    this.resource = new Resource(this, 'Resource', { metadata: props.metadata, spec: lazily(() => withDefaultImages(this.spec)) });
  }

  /** Name of the resource, by which other charts refer to it. */
  public get name(): string {
    return this.resource.name;
  }

  /** Name of the driver's Pod. */
  public get driverPodName(): string {
    return this.spec.driver.podName ?? (this.spec.sparkConf?.['spark.kubernetes.driver.pod.name'] || `${this.name}-driver`);
  }

  /** Name of the Service of Spark's web UI, which the operator keeps while the driver runs. */
  public get uiServiceName(): string {
    return objectName('Service', this.name, 'ui-svc');
  }

  /**
   * Name of the Service of another port of the driver, which the operator keeps while the driver runs.
   *
   * @param port One of the ports of `driverIngresses`.
   */
  public driverServiceName(port: number): string {
    if (!this.spec.driverIngressOptions?.some(({ servicePort }) => servicePort === port)) {
      throw new Error(`SparkApplication at ${this.node.path}: driverServiceName: port (${port}) has no Service: add it to driverIngresses`);
    }
    return objectName('Service', this.name, `driver-${port}`);
  }

  /**
   * Mounts a Secret as a folder.
   *
   * @param secretName Name of the Secret, in the application's namespace.
   * @param path Folder in Spark's container.
   * @param options What it holds, and which pods get it: by default driver and executors.
   */
  public mountSecret(secretName: string, path: string, options: MountSecretOptions = {}): void {
    const secretType = options.type ?? SecretType.GENERIC;
    for (const pod of this.pods(options)) pod.secrets = [...pod.secrets ?? [], { name: secretName, path, secretType }];
  }

  /**
   * Mounts a ConfigMap as a read-only folder.
   *
   * @param configMapName Name of the ConfigMap, in the application's namespace.
   * @param path Folder in Spark's container.
   * @param options Which pods get it: by default driver and executors.
   */
  public mountConfigMap(configMapName: string, path: string, options: RoleOptions = {}): void {
    for (const pod of this.pods(options)) pod.configMaps = [...pod.configMaps ?? [], { name: configMapName, path }];
  }

  /**
   * Adds a volume and mounts it. The same volume may be mounted at several paths.
   *
   * @param volume The volume, in Kubernetes' own shape.
   * @param path Folder in Spark's container.
   * @param options How, and which pods get it: by default driver and executors.
   */
  public addVolume(volume: Volume, path: string, options: AddVolumeOptions = {}): void {
    const { readOnly, subPath } = options;
    const namesake = this.spec.volumes?.find(({ name }) => name === volume.name);
    if (namesake && !isDeepStrictEqual(namesake, volume)) {
      throw new Error(`SparkApplication at ${this.node.path}: addVolume: volume.name (${JSON.stringify(volume.name)}) is the name of another volume: choose another name`);
    }
    if (!namesake) this.spec.volumes = [...this.spec.volumes ?? [], volume];
    for (const pod of this.pods(options)) pod.volumeMounts = [...pod.volumeMounts ?? [], { name: volume.name, mountPath: path, readOnly, subPath }];
  }

  /**
   * Keeps what Spark writes to local disks (shuffle data, what does not fit into memory) on these volumes, of driver and executors, in place of the
   * emptyDir that Spark adds otherwise.
   *
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#local-storage
   * @param dirs The volumes. With several of them Spark spreads its files.
   */
  public useLocalDirs(...dirs: LocalDir[]): void {
    useLocalDirs(this.spec, dirs);
  }

  /**
   * Sets an environment variable, in place of one of the same name.
   *
   * @param name Name of the variable.
   * @param value Its value.
   * @param options Which pods get it: by default driver and executors.
   */
  public addEnv(name: string, value: string, options: RoleOptions = {}): void {
    this.setVariable({ name, value }, options);
  }

  /**
   * Sets an environment variable to an entry of a Secret, in place of one of the same name.
   *
   * @param name Name of the variable.
   * @param secretName Name of the Secret, in the application's namespace.
   * @param key Key in the Secret.
   * @param options Which pods get it: by default driver and executors.
   */
  public addSecretEnv(name: string, secretName: string, key: string, options: RoleOptions = {}): void {
    this.setVariable({ name, valueFrom: { secretKeyRef: { name: secretName, key } } }, options);
  }

  /**
   * Sets a Spark property, in place of its value in `sparkConf`. Props win over it.
   *
   * @param key Name of the property, such as `spark.eventLog.enabled`.
   * @param value Its value.
   */
  public addSparkConf(key: string, value: string): void {
    this.spec.sparkConf = { ...this.spec.sparkConf, [key]: value };
  }

  /**
   * Lets driver and executors run as a service account, in place of what props say. It must be allowed to manage executors.
   *
   * @param serviceAccountName Name of the service account, in the application's namespace.
   */
  public runAs(serviceAccountName: string): void {
    // Executors run as the driver does; a template may say something else of them.
    for (const pod of this.pods({})) pod.serviceAccount = serviceAccountName;
  }

  /**
   * Gives the driver's volumes to a group, unless the application says which.
   *
   * @internal
   */
  public _ownVolumesOfDriver(fsGroup: number): void {
    this.spec.driver.podSecurityContext = { fsGroup, ...this.spec.driver.podSecurityContext };
  }

  private setVariable(variable: EnvVar, options: RoleOptions): void {
    for (const pod of this.pods(options)) pod.env = [...(pod.env ?? []).filter(({ name }) => name !== variable.name), variable];
  }

  private pods({ roles = Object.values(SparkRole) }: RoleOptions): (Mutable<DriverSpec> | Mutable<ExecutorSpec>)[] {
    return roles.map((role) => this.spec[role]);
  }
}

/** The resource of a SparkApplication: it speaks of its props. */
class Resource extends ApiSparkApplication {
  protected override _violations(metadata: Metadata, spec: SparkApplicationSpec): Violation[] {
    const found = super._violations(metadata, spec);
    return spec ? [...found, ...sparksOwnViolations(spec)].map(inWordsOfProps(spec)) : found;
  }

  protected override _path(): string {
    return this.node.scope!.node.path;
  }
}
