import { isDeepStrictEqual } from 'util';
import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { WorkloadLinks } from './_job-namespace';
import { ChangingSpec, Mutable } from '../props/_changing-spec';
import { useLocalDirs } from '../props/_local-dirs';
import { placeOf, rejectConstructs } from '../props/_foreign-constructs';
import { LocalDir } from '../props/local-dir';
import { DriverSpec, ExecutorSpec, SecretType } from '../api/spark-pod';
import { EnvVar, PodSecurityContext, SecurityContext, Toleration, Volume } from '../k8s';

/** Pods of a workload. */
export enum SparkRole {
  /** The driver; of a SparkConnect the server. */
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

/** Security settings of pods. */
export interface SecurityOptions extends RoleOptions {
  /**
   * Security settings of the pod, in addition to those that it has.
   *
   * @default - none
   */
  readonly pod?: PodSecurityContext;

  /**
   * Security settings of Spark's container, in addition to those that it has.
   *
   * @default - none
   */
  readonly container?: SecurityContext;
}

/**
 * A program on Spark: an application, a schedule of applications, or a Spark Connect server. The
 * methods change driver and executors, or one of them, in the same way for all.
 */
export abstract class SparkWorkload extends Construct {
  /**
   * Props that all workloads have.
   *
   * @internal
   */
  public abstract readonly _props: WorkloadLinks;

  /**
   * Version of Spark; undefined if nothing sets it.
   *
   * @internal
   */
  public abstract get _sparkVersion(): string | undefined;

  /** Name of the resource, for references from other charts. */
  public get name(): string {
    return ApiObject.of(this).name;
  }

  /**
   * Namespace of the resource; undefined if it is unknown at synthesis.
   *
   * @internal
   */
  public get _namespace(): string | undefined {
    return ApiObject.of(this).metadata.namespace;
  }

  /**
   * The own specification, without the profile, as that of an application.
   *
   * @internal
   */
  protected abstract readonly _own: ChangingSpec;

  /**
   * Mounts a Secret as a folder.
   *
   * @param secretName Name of the Secret, in the namespace of the workload.
   * @param path Folder in Spark's container.
   * @param options Content, and the pods that get it: by default driver and executors.
   */
  public mountSecret(secretName: string, path: string, options: MountSecretOptions = {}): void {
    rejectConstructs(this, { secretName }, 'mountSecret');
    const secretType = options.type ?? SecretType.GENERIC;
    for (const pod of this.pods(options)) pod.secrets = [...pod.secrets ?? [], { name: secretName, path, secretType }];
  }

  /**
   * Mounts a ConfigMap as a read-only folder.
   *
   * @param configMapName Name of the ConfigMap, in the namespace of the workload.
   * @param path Folder in Spark's container.
   * @param options Pods that get it: by default driver and executors.
   */
  public mountConfigMap(configMapName: string, path: string, options: RoleOptions = {}): void {
    rejectConstructs(this, { configMapName }, 'mountConfigMap');
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
    rejectConstructs(this, { volume }, 'addVolume');
    const { readOnly, subPath } = options;
    const namesake = this._own.volumes?.find(({ name }) => name === volume.name);
    if (namesake && !isDeepStrictEqual(namesake, volume)) {
      throw new Error(
        `${placeOf(this)}: addVolume: volume.name = ${JSON.stringify(volume.name)} is the name of another volume: choose another name`,
      );
    }
    if (!namesake) this._own.volumes = [...this._own.volumes ?? [], volume];
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
    useLocalDirs(this._own, dirs);
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
   * @param secretName Name of the Secret, in the namespace of the workload.
   * @param key Key in the Secret.
   * @param options Pods that get it: by default driver and executors.
   */
  public addSecretEnv(name: string, secretName: string, key: string, options: RoleOptions = {}): void {
    rejectConstructs(this, { secretName }, 'addSecretEnv');
    this.setVariable({ name, valueFrom: { secretKeyRef: { name: secretName, key } } }, options);
  }

  /**
   * Sets a Spark property, and replaces its value in `sparkConf`. Props take precedence over it.
   *
   * @param key Name of the property, such as `spark.eventLog.enabled`.
   * @param value Its value.
   */
  public addSparkConf(key: string, value: string): void {
    this._own.sparkConf = { ...this._own.sparkConf, [key]: value };
  }

  /**
   * Sets the service account of driver and executors, and replaces that of the props. It must be
   * allowed to manage executors.
   *
   * @param serviceAccountName Name of the service account, in the namespace of the workload.
   */
  public runAs(serviceAccountName: string): void {
    rejectConstructs(this, { serviceAccountName }, 'runAs');
    // Executors use the driver's service account, unless a template sets another.
    for (const pod of this.pods({})) pod.serviceAccount = serviceAccountName;
  }

  /**
   * Adds Maven packages, which Spark loads when the driver starts.
   *
   * @param packages Coordinates, such as `org.apache.spark:spark-sql-kafka-0-10_2.13:4.1.1`.
   */
  public addPackages(...packages: string[]): void {
    const { _own: { deps } } = this;
    this._own.deps = { ...deps, packages: [...deps?.packages ?? [], ...packages] };
  }

  /**
   * Sets a label of pods.
   *
   * @param key Name of the label.
   * @param value Its value.
   * @param options Pods that get it: by default driver and executors.
   */
  public addLabel(key: string, value: string, options: RoleOptions = {}): void {
    for (const pod of this.pods(options)) pod.labels = { ...pod.labels, [key]: value };
  }

  /**
   * Sets an annotation of pods.
   *
   * @param key Name of the annotation.
   * @param value Its value.
   * @param options Pods that get it: by default driver and executors.
   */
  public addAnnotation(key: string, value: string, options: RoleOptions = {}): void {
    for (const pod of this.pods(options)) pod.annotations = { ...pod.annotations, [key]: value };
  }

  /**
   * Adds a toleration of pods.
   *
   * @param toleration Toleration, in the shape of Kubernetes.
   * @param options Pods that get it: by default driver and executors.
   */
  public addToleration(toleration: Toleration, options: RoleOptions = {}): void {
    for (const pod of this.pods(options)) pod.tolerations = [...pod.tolerations ?? [], toleration];
  }

  /**
   * Adds a label that the nodes of pods must have.
   *
   * @param key Name of the label.
   * @param value Its value.
   * @param options Pods with this requirement: by default driver and executors.
   */
  public addNodeSelector(key: string, value: string, options: RoleOptions = {}): void {
    const { nodeSelector } = this._own;
    // The CRD accepts them for both together or for each.
    if (nodeSelector) {
      for (const pod of this.pods({})) pod.nodeSelector = { ...nodeSelector };
      this._own.nodeSelector = undefined;
    }
    for (const pod of this.pods(options)) pod.nodeSelector = { ...pod.nodeSelector, [key]: value };
  }

  /**
   * Adds security settings of pods and of Spark's containers.
   *
   * @param options Settings, and the pods that get them: by default driver and executors.
   */
  public addSecurityContext(options: SecurityOptions): void {
    for (const pod of this.pods(options)) {
      pod.podSecurityContext = options.pod ? { ...pod.podSecurityContext, ...options.pod } : pod.podSecurityContext;
      pod.securityContext = options.container ? { ...pod.securityContext, ...options.container } : pod.securityContext;
    }
  }

  /**
   * Sets the group of the driver's volumes, unless the workload sets one.
   *
   * @internal
   */
  public _ownVolumesOfDriver(fsGroup: number): void {
    this._own.driver.podSecurityContext = { fsGroup, ...this._own.driver.podSecurityContext };
  }

  private setVariable(variable: EnvVar, options: RoleOptions): void {
    for (const pod of this.pods(options)) pod.env = [...(pod.env ?? []).filter(({ name }) => name !== variable.name), variable];
  }

  private pods({ roles = Object.values(SparkRole) }: RoleOptions): (Mutable<DriverSpec> | Mutable<ExecutorSpec>)[] {
    return roles.map((role) => this._own[role]);
  }
}
