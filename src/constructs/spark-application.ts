import { isDeepStrictEqual } from 'util';
import { Construct } from 'constructs';
import { applicationSpec, withDefaultImages } from '../props/_application-spec';
import { ChangingSpec, Mutable } from '../props/_changing-spec';
import { rejectProps } from '../props/_check';
import { useLocalDirs } from '../props/_local-dirs';
import { withPropPath } from '../props/_prop-paths';
import { ApiSparkApplication, lazily } from './api-spark-application';
import { LocalDir } from '../props/local-dir';
import { SparkApplicationProps } from '../props/spark-application-props';
import { objectName } from '../api/object-name';
import { SPARK_APPLICATION, SparkApplicationSpec } from '../api/spark-application';
import { DriverSpec, ExecutorSpec, SecretType } from '../api/spark-pod';
import { EnvVar, Volume } from '../k8s';
import type { Metadata } from '../rules/metadata';
import type { Problem } from '../model/problem';

/** Pods of an application. */
export enum SparkRole {
  /** The driver. */
  DRIVER = 'driver',
  /** The executors. */
  EXECUTOR = 'executor',
}

/** Pods for an addition. */
export interface RoleOptions {
  /**
   * Pods that get it.
   *
   * @default - driver and executors
   */
  readonly roles?: SparkRole[];
}

/** Mount of a Secret. */
export interface MountSecretOptions extends RoleOptions {
  /**
   * Content of the Secret. For some types, Spark gets the path of the file.
   *
   * @default SecretType.GENERIC
   */
  readonly type?: SecretType;
}

/** Mount of a volume. */
export interface AddVolumeOptions extends RoleOptions {
  /**
   * Whether the volume is read-only.
   *
   * @default false
   */
  readonly readOnly?: boolean;

  /**
   * Path within the volume.
   *
   * @default - the whole volume
   */
  readonly subPath?: string;
}

/**
 * A Spark application: the operator submits it, watches it and reports its state in the resource's
 * status.
 *
 * The driver runs as the service account `spark`, which `SparkOperator` creates in each job
 * namespace, unless `driver.serviceAccount` or the driver's template sets another.
 *
 * The construct rejects mistakes that it can find without a cluster: violations of the CRD's rules,
 * invalid names and sizes, and combinations with which Spark does not start. The error contains the
 * prop, its value and the reason. Props are checked at once, and the whole application with all
 * later additions at synthesis. The operator, quotas, policies and webhooks of a cluster can still
 * reject more.
 */
export class SparkApplication extends Construct {
  /** The custom resource. */
  public readonly resource: ApiSparkApplication;
  private readonly spec: ChangingSpec;

  constructor(scope: Construct, id: string, props: SparkApplicationProps) {
    super(scope, id);
    const { spec, found } = applicationSpec(props);
    rejectProps(SPARK_APPLICATION.kind, this.node.path, found);
    this.spec = spec;
    this.resource = new Resource(this, 'Resource', { metadata: props.metadata, spec: lazily(() => withDefaultImages(this.spec)) });
  }

  /** Name of the resource, for references from other charts. */
  public get name(): string {
    return this.resource.name;
  }

  /** Name of the driver's Pod. */
  public get driverPodName(): string {
    return this.spec.driver.podName ?? (this.spec.sparkConf?.['spark.kubernetes.driver.pod.name'] || `${this.name}-driver`);
  }

  /** Name of the Service of Spark's web UI, which exists while the driver runs. */
  public get uiServiceName(): string {
    return objectName('Service', this.name, 'ui-svc');
  }

  /**
   * Returns the name of the Service of another port of the driver, which exists while the driver
   * runs.
   *
   * @param port One of the ports of `driverIngresses`.
   */
  public driverServiceName(port: number): string {
    if (!this.spec.driverIngressOptions?.some(({ servicePort }) => servicePort === port)) {
      throw new Error(`SparkApplication at ${this.node.path}: driverServiceName: port = ${port} has no Service: add it to driverIngresses`);
    }
    return objectName('Service', this.name, `driver-${port}`);
  }

  /**
   * Mounts a Secret as a folder.
   *
   * @param secretName Name of the Secret, in the application's namespace.
   * @param path Folder in Spark's container.
   * @param options Content, and the pods that get it: by default driver and executors.
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
   * @param options Pods that get it: by default driver and executors.
   */
  public mountConfigMap(configMapName: string, path: string, options: RoleOptions = {}): void {
    for (const pod of this.pods(options)) pod.configMaps = [...pod.configMaps ?? [], { name: configMapName, path }];
  }

  /**
   * Adds a volume and mounts it. The same volume can be mounted at several paths.
   *
   * @param volume Volume, in the shape of Kubernetes.
   * @param path Folder in Spark's container.
   * @param options Mount options, and the pods that get it: by default driver and executors.
   */
  public addVolume(volume: Volume, path: string, options: AddVolumeOptions = {}): void {
    const { readOnly, subPath } = options;
    const namesake = this.spec.volumes?.find(({ name }) => name === volume.name);
    if (namesake && !isDeepStrictEqual(namesake, volume)) {
      throw new Error(
        `SparkApplication at ${this.node.path}: addVolume: volume.name = ${JSON.stringify(volume.name)} is the name of another volume: choose another name`,
      );
    }
    if (!namesake) this.spec.volumes = [...this.spec.volumes ?? [], volume];
    for (const pod of this.pods(options)) {
      pod.volumeMounts = [...pod.volumeMounts ?? [], { name: volume.name, mountPath: path, readOnly, subPath }];
    }
  }

  /**
   * Uses volumes of driver and executors for Spark's local files (shuffle data, and data that does
   * not fit into memory), in place of the emptyDir that Spark adds by default.
   *
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#local-storage
   * @param dirs Volumes. Spark spreads its files over several ones.
   */
  public useLocalDirs(...dirs: LocalDir[]): void {
    useLocalDirs(this.spec, dirs);
  }

  /**
   * Sets an environment variable, and replaces one of the same name.
   *
   * @param name Name of the variable.
   * @param value Its value.
   * @param options Pods that get it: by default driver and executors.
   */
  public addEnv(name: string, value: string, options: RoleOptions = {}): void {
    this.setVariable({ name, value }, options);
  }

  /**
   * Sets an environment variable to an entry of a Secret, and replaces one of the same name.
   *
   * @param name Name of the variable.
   * @param secretName Name of the Secret, in the application's namespace.
   * @param key Key in the Secret.
   * @param options Pods that get it: by default driver and executors.
   */
  public addSecretEnv(name: string, secretName: string, key: string, options: RoleOptions = {}): void {
    this.setVariable({ name, valueFrom: { secretKeyRef: { name: secretName, key } } }, options);
  }

  /**
   * Sets a Spark property, and replaces its value in `sparkConf`. Props take precedence over it.
   *
   * @param key Name of the property, such as `spark.eventLog.enabled`.
   * @param value Its value.
   */
  public addSparkConf(key: string, value: string): void {
    this.spec.sparkConf = { ...this.spec.sparkConf, [key]: value };
  }

  /**
   * Sets the service account of driver and executors, and replaces that of the props. It must be
   * allowed to manage executors.
   *
   * @param serviceAccountName Name of the service account, in the application's namespace.
   */
  public runAs(serviceAccountName: string): void {
    // Executors use the driver's service account, unless a template sets another.
    for (const pod of this.pods({})) pod.serviceAccount = serviceAccountName;
  }

  /**
   * Sets the group of the driver's volumes, unless the application sets one.
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

/** Resource of a SparkApplication, which reports problems with the names of props. */
class Resource extends ApiSparkApplication {
  protected override _violations(metadata: Metadata, spec: SparkApplicationSpec): Problem[] {
    const found = super._violations(metadata, spec);
    return spec ? found.map(withPropPath(spec)) : found;
  }

  protected override _path(): string {
    return this.node.scope!.node.path;
  }
}
