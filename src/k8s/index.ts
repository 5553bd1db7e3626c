/* Generated from the OpenAPI document of Kubernetes 1.34 by `npm run generate:kubernetes`; do not edit. */

/**
 * The version of Kubernetes whose fields these structs have.
 * @internal
 */
export const KUBERNETES_VERSION = '1.34';

/**
 * Kubernetes' `AWSElasticBlockStoreVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#awselasticblockstorevolumesource-v1-core
 */
export interface AwsElasticBlockStoreVolumeSource {
  readonly fsType?: string;
  readonly partition?: number;
  readonly readOnly?: boolean;
  readonly volumeID: string;
}

/**
 * Kubernetes' `Affinity` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#affinity-v1-core
 */
export interface Affinity {
  readonly nodeAffinity?: NodeAffinity;
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAntiAffinity;
}

/**
 * Kubernetes' `AppArmorProfile` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#apparmorprofile-v1-core
 */
export interface AppArmorProfile {
  readonly localhostProfile?: string;
  /** @oneOf ["Localhost","RuntimeDefault","Unconfined"] */
  readonly type: string;
}

/**
 * Kubernetes' `AzureDiskVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#azurediskvolumesource-v1-core
 */
export interface AzureDiskVolumeSource {
  /** @oneOf ["","None","ReadOnly","ReadWrite"] */
  readonly cachingMode?: string;
  readonly diskName: string;
  readonly diskURI: string;
  readonly fsType?: string;
  /** @oneOf ["","Dedicated","Managed","Shared"] */
  readonly kind?: string;
  readonly readOnly?: boolean;
}

/**
 * Kubernetes' `AzureFileVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#azurefilevolumesource-v1-core
 */
export interface AzureFileVolumeSource {
  readonly readOnly?: boolean;
  readonly secretName: string;
  readonly shareName: string;
}

/**
 * Kubernetes' `CSIVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#csivolumesource-v1-core
 */
export interface CsiVolumeSource {
  readonly driver: string;
  readonly fsType?: string;
  readonly nodePublishSecretRef?: LocalObjectReference;
  readonly readOnly?: boolean;
  readonly volumeAttributes?: { [key: string]: string };
}

/**
 * Kubernetes' `Capabilities` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#capabilities-v1-core
 */
export interface Capabilities {
  readonly add?: string[];
  readonly drop?: string[];
}

/**
 * Kubernetes' `CephFSVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#cephfsvolumesource-v1-core
 */
export interface CephFsVolumeSource {
  readonly monitors: string[];
  readonly path?: string;
  readonly readOnly?: boolean;
  readonly secretFile?: string;
  readonly secretRef?: LocalObjectReference;
  readonly user?: string;
}

/**
 * Kubernetes' `CinderVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#cindervolumesource-v1-core
 */
export interface CinderVolumeSource {
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
  readonly volumeID: string;
}

/**
 * Kubernetes' `ClientIPConfig` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#clientipconfig-v1-core
 */
export interface ClientIpConfig {
  readonly timeoutSeconds?: number;
}

/**
 * Kubernetes' `ClusterTrustBundleProjection` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#clustertrustbundleprojection-v1-core
 */
export interface ClusterTrustBundleProjection {
  readonly labelSelector?: LabelSelector;
  readonly name?: string;
  readonly optional?: boolean;
  readonly path: string;
  readonly signerName?: string;
}

/**
 * Kubernetes' `ConfigMapEnvSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#configmapenvsource-v1-core
 */
export interface ConfigMapEnvSource {
  readonly name?: string;
  readonly optional?: boolean;
}

/**
 * Kubernetes' `ConfigMapKeySelector` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#configmapkeyselector-v1-core
 */
export interface ConfigMapKeySelector {
  readonly key: string;
  readonly name?: string;
  readonly optional?: boolean;
}

/**
 * Kubernetes' `ConfigMapProjection` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#configmapprojection-v1-core
 */
export interface ConfigMapProjection {
  readonly items?: KeyToPath[];
  readonly name?: string;
  readonly optional?: boolean;
}

/**
 * Kubernetes' `ConfigMapVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#configmapvolumesource-v1-core
 */
export interface ConfigMapVolumeSource {
  readonly defaultMode?: number;
  readonly items?: KeyToPath[];
  readonly name?: string;
  readonly optional?: boolean;
}

/**
 * Kubernetes' `Container` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#container-v1-core
 */
export interface Container {
  readonly args?: string[];
  readonly command?: string[];
  /** @listMapKeys ["name"] */
  readonly env?: EnvVar[];
  readonly envFrom?: EnvFromSource[];
  readonly image?: string;
  /** @oneOf ["","Always","IfNotPresent","Never"] */
  readonly imagePullPolicy?: string;
  readonly lifecycle?: Lifecycle;
  readonly livenessProbe?: Probe;
  readonly name: string;
  /** @listMapKeys ["containerPort","protocol"] */
  readonly ports?: ContainerPort[];
  readonly readinessProbe?: Probe;
  readonly resizePolicy?: ContainerResizePolicy[];
  readonly resources?: ResourceRequirements;
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: ContainerRestartRule[];
  readonly securityContext?: SecurityContext;
  readonly startupProbe?: Probe;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly terminationMessagePath?: string;
  /** @oneOf ["","FallbackToLogsOnError","File"] */
  readonly terminationMessagePolicy?: string;
  readonly tty?: boolean;
  /** @listMapKeys ["devicePath"] */
  readonly volumeDevices?: VolumeDevice[];
  /** @listMapKeys ["mountPath"] */
  readonly volumeMounts?: VolumeMount[];
  readonly workingDir?: string;
}

/**
 * Kubernetes' `ContainerPort` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#containerport-v1-core
 */
export interface ContainerPort {
  readonly containerPort: number;
  readonly hostIP?: string;
  readonly hostPort?: number;
  readonly name?: string;
  /**
   * @oneOf ["","SCTP","TCP","UDP"]
   * @schemaDefault TCP
   */
  readonly protocol?: string;
}

/**
 * Kubernetes' `ContainerResizePolicy` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#containerresizepolicy-v1-core
 */
export interface ContainerResizePolicy {
  readonly resourceName: string;
  readonly restartPolicy: string;
}

/**
 * Kubernetes' `ContainerRestartRule` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#containerrestartrule-v1-core
 */
export interface ContainerRestartRule {
  readonly action: string;
  readonly exitCodes?: ContainerRestartRuleOnExitCodes;
}

/**
 * Kubernetes' `ContainerRestartRuleOnExitCodes` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#containerrestartruleonexitcodes-v1-core
 */
export interface ContainerRestartRuleOnExitCodes {
  readonly operator: string;
  readonly values?: number[];
}

/**
 * Kubernetes' `DownwardAPIProjection` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#downwardapiprojection-v1-core
 */
export interface DownwardApiProjection {
  readonly items?: DownwardApiVolumeFile[];
}

/**
 * Kubernetes' `DownwardAPIVolumeFile` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#downwardapivolumefile-v1-core
 */
export interface DownwardApiVolumeFile {
  readonly fieldRef?: ObjectFieldSelector;
  readonly mode?: number;
  readonly path: string;
  readonly resourceFieldRef?: ResourceFieldSelector;
}

/**
 * Kubernetes' `DownwardAPIVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#downwardapivolumesource-v1-core
 */
export interface DownwardApiVolumeSource {
  readonly defaultMode?: number;
  readonly items?: DownwardApiVolumeFile[];
}

/**
 * Kubernetes' `EmptyDirVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#emptydirvolumesource-v1-core
 */
export interface EmptyDirVolumeSource {
  readonly medium?: string;
  /** @quantity */
  readonly sizeLimit?: string;
}

/**
 * Kubernetes' `EnvFromSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#envfromsource-v1-core
 */
export interface EnvFromSource {
  readonly configMapRef?: ConfigMapEnvSource;
  readonly prefix?: string;
  readonly secretRef?: SecretEnvSource;
}

/**
 * Kubernetes' `EnvVar` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#envvar-v1-core
 */
export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: EnvVarSource;
}

/**
 * Kubernetes' `EnvVarSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#envvarsource-v1-core
 */
export interface EnvVarSource {
  readonly configMapKeyRef?: ConfigMapKeySelector;
  readonly fieldRef?: ObjectFieldSelector;
  readonly fileKeyRef?: FileKeySelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly secretKeyRef?: SecretKeySelector;
}

/**
 * Kubernetes' `EphemeralVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#ephemeralvolumesource-v1-core
 */
export interface EphemeralVolumeSource {
  readonly volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}

/**
 * Kubernetes' `ExecAction` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#execaction-v1-core
 */
export interface ExecAction {
  readonly command?: string[];
}

/**
 * Kubernetes' `FCVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#fcvolumesource-v1-core
 */
export interface FcVolumeSource {
  readonly fsType?: string;
  readonly lun?: number;
  readonly readOnly?: boolean;
  readonly targetWWNs?: string[];
  readonly wwids?: string[];
}

/**
 * Kubernetes' `FileKeySelector` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#filekeyselector-v1-core
 */
export interface FileKeySelector {
  readonly key: string;
  readonly optional?: boolean;
  readonly path: string;
  readonly volumeName: string;
}

/**
 * Kubernetes' `FlexVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#flexvolumesource-v1-core
 */
export interface FlexVolumeSource {
  readonly driver: string;
  readonly fsType?: string;
  readonly options?: { [key: string]: string };
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
}

/**
 * Kubernetes' `FlockerVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#flockervolumesource-v1-core
 */
export interface FlockerVolumeSource {
  readonly datasetName?: string;
  readonly datasetUUID?: string;
}

/**
 * Kubernetes' `GCEPersistentDiskVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#gcepersistentdiskvolumesource-v1-core
 */
export interface GcePersistentDiskVolumeSource {
  readonly fsType?: string;
  readonly partition?: number;
  readonly pdName: string;
  readonly readOnly?: boolean;
}

/**
 * Kubernetes' `GRPCAction` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#grpcaction-v1-core
 */
export interface GrpcAction {
  readonly port: number;
  readonly service?: string;
}

/**
 * Kubernetes' `GitRepoVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#gitrepovolumesource-v1-core
 */
export interface GitRepoVolumeSource {
  readonly directory?: string;
  readonly repository: string;
  readonly revision?: string;
}

/**
 * Kubernetes' `GlusterfsVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#glusterfsvolumesource-v1-core
 */
export interface GlusterfsVolumeSource {
  readonly endpoints: string;
  readonly path: string;
  readonly readOnly?: boolean;
}

/**
 * Kubernetes' `HTTPGetAction` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#httpgetaction-v1-core
 */
export interface HttpGetAction {
  readonly host?: string;
  readonly httpHeaders?: HttpHeader[];
  readonly path?: string;
  /** @intOrString */
  readonly port: string;
  /** @oneOf ["","HTTP","HTTPS"] */
  readonly scheme?: string;
}

/**
 * Kubernetes' `HTTPHeader` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#httpheader-v1-core
 */
export interface HttpHeader {
  readonly name: string;
  readonly value: string;
}

/**
 * Kubernetes' `HostAlias` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#hostalias-v1-core
 */
export interface HostAlias {
  readonly hostnames?: string[];
  readonly ip: string;
}

/**
 * Kubernetes' `HostPathVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#hostpathvolumesource-v1-core
 */
export interface HostPathVolumeSource {
  readonly path: string;
  /** @oneOf ["","BlockDevice","CharDevice","Directory","DirectoryOrCreate","File","FileOrCreate","Socket"] */
  readonly type?: string;
}

/**
 * Kubernetes' `ISCSIVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#iscsivolumesource-v1-core
 */
export interface IscsiVolumeSource {
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly fsType?: string;
  readonly initiatorName?: string;
  readonly iqn: string;
  readonly iscsiInterface?: string;
  readonly lun: number;
  readonly portals?: string[];
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
  readonly targetPortal: string;
}

/**
 * Kubernetes' `ImageVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#imagevolumesource-v1-core
 */
export interface ImageVolumeSource {
  /** @oneOf ["","Always","IfNotPresent","Never"] */
  readonly pullPolicy?: string;
  readonly reference?: string;
}

/**
 * Kubernetes' `KeyToPath` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#keytopath-v1-core
 */
export interface KeyToPath {
  readonly key: string;
  readonly mode?: number;
  readonly path: string;
}

/**
 * Kubernetes' `Lifecycle` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#lifecycle-v1-core
 */
export interface Lifecycle {
  readonly postStart?: LifecycleHandler;
  readonly preStop?: LifecycleHandler;
  readonly stopSignal?: string;
}

/**
 * Kubernetes' `LifecycleHandler` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#lifecyclehandler-v1-core
 */
export interface LifecycleHandler {
  readonly exec?: ExecAction;
  readonly httpGet?: HttpGetAction;
  readonly sleep?: SleepAction;
  readonly tcpSocket?: TcpSocketAction;
}

/**
 * Kubernetes' `LocalObjectReference` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#localobjectreference-v1-core
 */
export interface LocalObjectReference {
  readonly name?: string;
}

/**
 * Kubernetes' `NFSVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#nfsvolumesource-v1-core
 */
export interface NfsVolumeSource {
  readonly path: string;
  readonly readOnly?: boolean;
  readonly server: string;
}

/**
 * Kubernetes' `NodeAffinity` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#nodeaffinity-v1-core
 */
export interface NodeAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[];
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
}

/**
 * Kubernetes' `NodeSelector` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#nodeselector-v1-core
 */
export interface NodeSelector {
  readonly nodeSelectorTerms: NodeSelectorTerm[];
}

/**
 * Kubernetes' `NodeSelectorRequirement` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#nodeselectorrequirement-v1-core
 */
export interface NodeSelectorRequirement {
  readonly key: string;
  /** @oneOf ["DoesNotExist","Exists","Gt","In","Lt","NotIn"] */
  readonly operator: string;
  readonly values?: string[];
}

/**
 * Kubernetes' `NodeSelectorTerm` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#nodeselectorterm-v1-core
 */
export interface NodeSelectorTerm {
  readonly matchExpressions?: NodeSelectorRequirement[];
  readonly matchFields?: NodeSelectorRequirement[];
}

/**
 * Kubernetes' `ObjectFieldSelector` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#objectfieldselector-v1-core
 */
export interface ObjectFieldSelector {
  readonly apiVersion?: string;
  readonly fieldPath: string;
}

/**
 * Kubernetes' `PersistentVolumeClaimSpec` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#persistentvolumeclaimspec-v1-core
 */
export interface PersistentVolumeClaimSpec {
  readonly accessModes?: string[];
  readonly dataSource?: TypedLocalObjectReference;
  readonly dataSourceRef?: TypedObjectReference;
  readonly resources?: VolumeResourceRequirements;
  readonly selector?: LabelSelector;
  readonly storageClassName?: string;
  readonly volumeAttributesClassName?: string;
  /** @oneOf ["","Block","Filesystem"] */
  readonly volumeMode?: string;
  readonly volumeName?: string;
}

/**
 * Kubernetes' `PersistentVolumeClaimTemplate` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#persistentvolumeclaimtemplate-v1-core
 */
export interface PersistentVolumeClaimTemplate {
  readonly metadata?: ObjectMeta;
  readonly spec: PersistentVolumeClaimSpec;
}

/**
 * Kubernetes' `PersistentVolumeClaimVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#persistentvolumeclaimvolumesource-v1-core
 */
export interface PersistentVolumeClaimVolumeSource {
  readonly claimName: string;
  readonly readOnly?: boolean;
}

/**
 * Kubernetes' `PhotonPersistentDiskVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#photonpersistentdiskvolumesource-v1-core
 */
export interface PhotonPersistentDiskVolumeSource {
  readonly fsType?: string;
  readonly pdID: string;
}

/**
 * Kubernetes' `PodAffinity` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#podaffinity-v1-core
 */
export interface PodAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
  readonly requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
}

/**
 * Kubernetes' `PodAffinityTerm` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#podaffinityterm-v1-core
 */
export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelector;
  readonly matchLabelKeys?: string[];
  readonly mismatchLabelKeys?: string[];
  readonly namespaceSelector?: LabelSelector;
  readonly namespaces?: string[];
  readonly topologyKey: string;
}

/**
 * Kubernetes' `PodAntiAffinity` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#podantiaffinity-v1-core
 */
export interface PodAntiAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
  readonly requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
}

/**
 * Kubernetes' `PodCertificateProjection` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#podcertificateprojection-v1-core
 */
export interface PodCertificateProjection {
  readonly certificateChainPath?: string;
  readonly credentialBundlePath?: string;
  readonly keyPath?: string;
  readonly keyType: string;
  readonly maxExpirationSeconds?: number;
  readonly signerName: string;
  readonly userAnnotations?: { [key: string]: string };
}

/**
 * Kubernetes' `PodDNSConfig` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#poddnsconfig-v1-core
 */
export interface PodDnsConfig {
  readonly nameservers?: string[];
  readonly options?: PodDnsConfigOption[];
  readonly searches?: string[];
}

/**
 * Kubernetes' `PodDNSConfigOption` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#poddnsconfigoption-v1-core
 */
export interface PodDnsConfigOption {
  readonly name?: string;
  readonly value?: string;
}

/**
 * Kubernetes' `PodOS` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#podos-v1-core
 */
export interface PodOs {
  readonly name: string;
}

/**
 * Kubernetes' `PodReadinessGate` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#podreadinessgate-v1-core
 */
export interface PodReadinessGate {
  readonly conditionType: string;
}

/**
 * Kubernetes' `PodResourceClaim` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#podresourceclaim-v1-core
 */
export interface PodResourceClaim {
  readonly name: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

/**
 * Kubernetes' `PodSchedulingGate` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#podschedulinggate-v1-core
 */
export interface PodSchedulingGate {
  readonly name: string;
}

/**
 * Kubernetes' `PodSecurityContext` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#podsecuritycontext-v1-core
 */
export interface PodSecurityContext {
  readonly appArmorProfile?: AppArmorProfile;
  /** @format int64 */
  readonly fsGroup?: number;
  /** @oneOf ["","Always","OnRootMismatch"] */
  readonly fsGroupChangePolicy?: string;
  /** @format int64 */
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  /** @format int64 */
  readonly runAsUser?: number;
  readonly seLinuxChangePolicy?: string;
  readonly seLinuxOptions?: SeLinuxOptions;
  readonly seccompProfile?: SeccompProfile;
  /** @format int64 */
  readonly supplementalGroups?: number[];
  /** @oneOf ["","Merge","Strict"] */
  readonly supplementalGroupsPolicy?: string;
  readonly sysctls?: Sysctl[];
  readonly windowsOptions?: WindowsSecurityContextOptions;
}

/**
 * Kubernetes' `PodSpec` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#podspec-v1-core
 */
export interface PodSpec {
  /** @format int64 */
  readonly activeDeadlineSeconds?: number;
  readonly affinity?: Affinity;
  readonly automountServiceAccountToken?: boolean;
  /** @listMapKeys ["name"] */
  readonly containers?: Container[];
  readonly dnsConfig?: PodDnsConfig;
  /** @oneOf ["","ClusterFirst","ClusterFirstWithHostNet","Default","None"] */
  readonly dnsPolicy?: string;
  readonly enableServiceLinks?: boolean;
  /** @listMapKeys ["ip"] */
  readonly hostAliases?: HostAlias[];
  readonly hostIPC?: boolean;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostUsers?: boolean;
  readonly hostname?: string;
  readonly hostnameOverride?: string;
  /** @listMapKeys ["name"] */
  readonly imagePullSecrets?: LocalObjectReference[];
  /** @listMapKeys ["name"] */
  readonly initContainers?: Container[];
  readonly nodeName?: string;
  readonly nodeSelector?: { [key: string]: string };
  readonly os?: PodOs;
  /** @quantity */
  readonly overhead?: { [key: string]: string };
  /** @oneOf ["","Never","PreemptLowerPriority"] */
  readonly preemptionPolicy?: string;
  readonly priority?: number;
  readonly priorityClassName?: string;
  readonly readinessGates?: PodReadinessGate[];
  /** @listMapKeys ["name"] */
  readonly resourceClaims?: PodResourceClaim[];
  readonly resources?: ResourceRequirements;
  /** @oneOf ["","Always","Never","OnFailure"] */
  readonly restartPolicy?: string;
  readonly runtimeClassName?: string;
  readonly schedulerName?: string;
  /** @listMapKeys ["name"] */
  readonly schedulingGates?: PodSchedulingGate[];
  readonly securityContext?: PodSecurityContext;
  readonly serviceAccount?: string;
  readonly serviceAccountName?: string;
  readonly setHostnameAsFQDN?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly subdomain?: string;
  /** @format int64 */
  readonly terminationGracePeriodSeconds?: number;
  readonly tolerations?: Toleration[];
  /** @listMapKeys ["topologyKey","whenUnsatisfiable"] */
  readonly topologySpreadConstraints?: TopologySpreadConstraint[];
  /** @listMapKeys ["name"] */
  readonly volumes?: Volume[];
}

/**
 * Kubernetes' `PodTemplateSpec` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#podtemplatespec-v1-core
 */
export interface PodTemplateSpec {
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
}

/**
 * Kubernetes' `PortworxVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#portworxvolumesource-v1-core
 */
export interface PortworxVolumeSource {
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly volumeID: string;
}

/**
 * Kubernetes' `PreferredSchedulingTerm` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#preferredschedulingterm-v1-core
 */
export interface PreferredSchedulingTerm {
  readonly preference: NodeSelectorTerm;
  readonly weight: number;
}

/**
 * Kubernetes' `Probe` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#probe-v1-core
 */
export interface Probe {
  readonly exec?: ExecAction;
  readonly failureThreshold?: number;
  readonly grpc?: GrpcAction;
  readonly httpGet?: HttpGetAction;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly tcpSocket?: TcpSocketAction;
  /** @format int64 */
  readonly terminationGracePeriodSeconds?: number;
  readonly timeoutSeconds?: number;
}

/**
 * Kubernetes' `ProjectedVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#projectedvolumesource-v1-core
 */
export interface ProjectedVolumeSource {
  readonly defaultMode?: number;
  readonly sources?: VolumeProjection[];
}

/**
 * Kubernetes' `QuobyteVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#quobytevolumesource-v1-core
 */
export interface QuobyteVolumeSource {
  readonly group?: string;
  readonly readOnly?: boolean;
  readonly registry: string;
  readonly tenant?: string;
  readonly user?: string;
  readonly volume: string;
}

/**
 * Kubernetes' `RBDVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#rbdvolumesource-v1-core
 */
export interface RbdVolumeSource {
  readonly fsType?: string;
  readonly image: string;
  readonly keyring?: string;
  readonly monitors: string[];
  readonly pool?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
  readonly user?: string;
}

/**
 * Kubernetes' `ResourceClaim` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#resourceclaim-v1-core
 */
export interface ResourceClaim {
  readonly name: string;
  readonly request?: string;
}

/**
 * Kubernetes' `ResourceFieldSelector` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#resourcefieldselector-v1-core
 */
export interface ResourceFieldSelector {
  readonly containerName?: string;
  /** @quantity */
  readonly divisor?: string;
  readonly resource: string;
}

/**
 * Kubernetes' `ResourceRequirements` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#resourcerequirements-v1-core
 */
export interface ResourceRequirements {
  /** @listMapKeys ["name"] */
  readonly claims?: ResourceClaim[];
  /** @quantity */
  readonly limits?: { [key: string]: string };
  /** @quantity */
  readonly requests?: { [key: string]: string };
}

/**
 * Kubernetes' `SELinuxOptions` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#selinuxoptions-v1-core
 */
export interface SeLinuxOptions {
  readonly level?: string;
  readonly role?: string;
  readonly type?: string;
  readonly user?: string;
}

/**
 * Kubernetes' `ScaleIOVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#scaleiovolumesource-v1-core
 */
export interface ScaleIoVolumeSource {
  readonly fsType?: string;
  readonly gateway: string;
  readonly protectionDomain?: string;
  readonly readOnly?: boolean;
  readonly secretRef: LocalObjectReference;
  readonly sslEnabled?: boolean;
  readonly storageMode?: string;
  readonly storagePool?: string;
  readonly system: string;
  readonly volumeName?: string;
}

/**
 * Kubernetes' `SeccompProfile` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#seccompprofile-v1-core
 */
export interface SeccompProfile {
  readonly localhostProfile?: string;
  /** @oneOf ["Localhost","RuntimeDefault","Unconfined"] */
  readonly type: string;
}

/**
 * Kubernetes' `SecretEnvSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#secretenvsource-v1-core
 */
export interface SecretEnvSource {
  readonly name?: string;
  readonly optional?: boolean;
}

/**
 * Kubernetes' `SecretKeySelector` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#secretkeyselector-v1-core
 */
export interface SecretKeySelector {
  readonly key: string;
  readonly name?: string;
  readonly optional?: boolean;
}

/**
 * Kubernetes' `SecretProjection` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#secretprojection-v1-core
 */
export interface SecretProjection {
  readonly items?: KeyToPath[];
  readonly name?: string;
  readonly optional?: boolean;
}

/**
 * Kubernetes' `SecretVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#secretvolumesource-v1-core
 */
export interface SecretVolumeSource {
  readonly defaultMode?: number;
  readonly items?: KeyToPath[];
  readonly optional?: boolean;
  readonly secretName?: string;
}

/**
 * Kubernetes' `SecurityContext` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#securitycontext-v1-core
 */
export interface SecurityContext {
  readonly allowPrivilegeEscalation?: boolean;
  readonly appArmorProfile?: AppArmorProfile;
  readonly capabilities?: Capabilities;
  readonly privileged?: boolean;
  /** @oneOf ["","Default","Unmasked"] */
  readonly procMount?: string;
  readonly readOnlyRootFilesystem?: boolean;
  /** @format int64 */
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  /** @format int64 */
  readonly runAsUser?: number;
  readonly seLinuxOptions?: SeLinuxOptions;
  readonly seccompProfile?: SeccompProfile;
  readonly windowsOptions?: WindowsSecurityContextOptions;
}

/**
 * Kubernetes' `ServiceAccountTokenProjection` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#serviceaccounttokenprojection-v1-core
 */
export interface ServiceAccountTokenProjection {
  readonly audience?: string;
  /** @format int64 */
  readonly expirationSeconds?: number;
  readonly path: string;
}

/**
 * Kubernetes' `ServicePort` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#serviceport-v1-core
 */
export interface ServicePort {
  readonly appProtocol?: string;
  readonly name?: string;
  readonly nodePort?: number;
  readonly port: number;
  /**
   * @oneOf ["","SCTP","TCP","UDP"]
   * @schemaDefault TCP
   */
  readonly protocol?: string;
  /** @intOrString */
  readonly targetPort?: string;
}

/**
 * Kubernetes' `ServiceSpec` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#servicespec-v1-core
 */
export interface ServiceSpec {
  readonly allocateLoadBalancerNodePorts?: boolean;
  readonly clusterIP?: string;
  readonly clusterIPs?: string[];
  readonly externalIPs?: string[];
  readonly externalName?: string;
  /** @oneOf ["","Cluster","Local"] */
  readonly externalTrafficPolicy?: string;
  readonly healthCheckNodePort?: number;
  /** @oneOf ["","Cluster","Local"] */
  readonly internalTrafficPolicy?: string;
  readonly ipFamilies?: string[];
  /** @oneOf ["","PreferDualStack","RequireDualStack","SingleStack"] */
  readonly ipFamilyPolicy?: string;
  readonly loadBalancerClass?: string;
  readonly loadBalancerIP?: string;
  readonly loadBalancerSourceRanges?: string[];
  /** @listMapKeys ["port","protocol"] */
  readonly ports?: ServicePort[];
  readonly publishNotReadyAddresses?: boolean;
  readonly selector?: { [key: string]: string };
  /** @oneOf ["","ClientIP","None"] */
  readonly sessionAffinity?: string;
  readonly sessionAffinityConfig?: SessionAffinityConfig;
  readonly trafficDistribution?: string;
  /** @oneOf ["","ClusterIP","ExternalName","LoadBalancer","NodePort"] */
  readonly type?: string;
}

/**
 * Kubernetes' `SessionAffinityConfig` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#sessionaffinityconfig-v1-core
 */
export interface SessionAffinityConfig {
  readonly clientIP?: ClientIpConfig;
}

/**
 * Kubernetes' `SleepAction` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#sleepaction-v1-core
 */
export interface SleepAction {
  /** @format int64 */
  readonly seconds: number;
}

/**
 * Kubernetes' `StorageOSVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#storageosvolumesource-v1-core
 */
export interface StorageOsVolumeSource {
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
}

/**
 * Kubernetes' `Sysctl` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#sysctl-v1-core
 */
export interface Sysctl {
  readonly name: string;
  readonly value: string;
}

/**
 * Kubernetes' `TCPSocketAction` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#tcpsocketaction-v1-core
 */
export interface TcpSocketAction {
  readonly host?: string;
  /** @intOrString */
  readonly port: string;
}

/**
 * Kubernetes' `Toleration` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#toleration-v1-core
 */
export interface Toleration {
  /** @oneOf ["","NoExecute","NoSchedule","PreferNoSchedule"] */
  readonly effect?: string;
  readonly key?: string;
  /** @oneOf ["","Equal","Exists"] */
  readonly operator?: string;
  /** @format int64 */
  readonly tolerationSeconds?: number;
  readonly value?: string;
}

/**
 * Kubernetes' `TopologySpreadConstraint` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#topologyspreadconstraint-v1-core
 */
export interface TopologySpreadConstraint {
  readonly labelSelector?: LabelSelector;
  readonly matchLabelKeys?: string[];
  readonly maxSkew: number;
  readonly minDomains?: number;
  /** @oneOf ["","Honor","Ignore"] */
  readonly nodeAffinityPolicy?: string;
  /** @oneOf ["","Honor","Ignore"] */
  readonly nodeTaintsPolicy?: string;
  readonly topologyKey: string;
  /** @oneOf ["DoNotSchedule","ScheduleAnyway"] */
  readonly whenUnsatisfiable: string;
}

/**
 * Kubernetes' `TypedLocalObjectReference` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#typedlocalobjectreference-v1-core
 */
export interface TypedLocalObjectReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * Kubernetes' `TypedObjectReference` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#typedobjectreference-v1-core
 */
export interface TypedObjectReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/**
 * Kubernetes' `Volume` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#volume-v1-core
 */
export interface Volume {
  readonly awsElasticBlockStore?: AwsElasticBlockStoreVolumeSource;
  readonly azureDisk?: AzureDiskVolumeSource;
  readonly azureFile?: AzureFileVolumeSource;
  readonly cephfs?: CephFsVolumeSource;
  readonly cinder?: CinderVolumeSource;
  readonly configMap?: ConfigMapVolumeSource;
  readonly csi?: CsiVolumeSource;
  readonly downwardAPI?: DownwardApiVolumeSource;
  readonly emptyDir?: EmptyDirVolumeSource;
  readonly ephemeral?: EphemeralVolumeSource;
  readonly fc?: FcVolumeSource;
  readonly flexVolume?: FlexVolumeSource;
  readonly flocker?: FlockerVolumeSource;
  readonly gcePersistentDisk?: GcePersistentDiskVolumeSource;
  readonly gitRepo?: GitRepoVolumeSource;
  readonly glusterfs?: GlusterfsVolumeSource;
  readonly hostPath?: HostPathVolumeSource;
  readonly image?: ImageVolumeSource;
  readonly iscsi?: IscsiVolumeSource;
  /** @maxLength 63 */
  readonly name: string;
  readonly nfs?: NfsVolumeSource;
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  readonly portworxVolume?: PortworxVolumeSource;
  readonly projected?: ProjectedVolumeSource;
  readonly quobyte?: QuobyteVolumeSource;
  readonly rbd?: RbdVolumeSource;
  readonly scaleIO?: ScaleIoVolumeSource;
  readonly secret?: SecretVolumeSource;
  readonly storageos?: StorageOsVolumeSource;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
}

/**
 * Kubernetes' `VolumeDevice` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#volumedevice-v1-core
 */
export interface VolumeDevice {
  readonly devicePath: string;
  readonly name: string;
}

/**
 * Kubernetes' `VolumeMount` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#volumemount-v1-core
 */
export interface VolumeMount {
  readonly mountPath: string;
  /** @oneOf ["","Bidirectional","HostToContainer","None"] */
  readonly mountPropagation?: string;
  /** @maxLength 63 */
  readonly name: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  readonly subPath?: string;
  readonly subPathExpr?: string;
}

/**
 * Kubernetes' `VolumeProjection` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#volumeprojection-v1-core
 */
export interface VolumeProjection {
  readonly clusterTrustBundle?: ClusterTrustBundleProjection;
  readonly configMap?: ConfigMapProjection;
  readonly downwardAPI?: DownwardApiProjection;
  readonly podCertificate?: PodCertificateProjection;
  readonly secret?: SecretProjection;
  readonly serviceAccountToken?: ServiceAccountTokenProjection;
}

/**
 * Kubernetes' `VolumeResourceRequirements` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#volumeresourcerequirements-v1-core
 */
export interface VolumeResourceRequirements {
  /** @quantity */
  readonly limits?: { [key: string]: string };
  /** @quantity */
  readonly requests?: { [key: string]: string };
}

/**
 * Kubernetes' `VsphereVirtualDiskVolumeSource` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#vspherevirtualdiskvolumesource-v1-core
 */
export interface VsphereVirtualDiskVolumeSource {
  readonly fsType?: string;
  readonly storagePolicyID?: string;
  readonly storagePolicyName?: string;
  readonly volumePath: string;
}

/**
 * Kubernetes' `WeightedPodAffinityTerm` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#weightedpodaffinityterm-v1-core
 */
export interface WeightedPodAffinityTerm {
  readonly podAffinityTerm: PodAffinityTerm;
  readonly weight: number;
}

/**
 * Kubernetes' `WindowsSecurityContextOptions` (`core/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#windowssecuritycontextoptions-v1-core
 */
export interface WindowsSecurityContextOptions {
  readonly gmsaCredentialSpec?: string;
  readonly gmsaCredentialSpecName?: string;
  readonly hostProcess?: boolean;
  readonly runAsUserName?: string;
}

/**
 * Kubernetes' `IngressTLS` (`networking/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#ingresstls-v1-networking
 */
export interface IngressTls {
  readonly hosts?: string[];
  readonly secretName?: string;
}

/**
 * Kubernetes' `LabelSelector` (`meta/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#labelselector-v1-meta
 */
export interface LabelSelector {
  readonly matchExpressions?: LabelSelectorRequirement[];
  readonly matchLabels?: { [key: string]: string };
}

/**
 * Kubernetes' `LabelSelectorRequirement` (`meta/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#labelselectorrequirement-v1-meta
 */
export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: string[];
}

/**
 * Kubernetes' `ObjectMeta` (`meta/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#objectmeta-v1-meta
 */
export interface ObjectMeta {
  readonly annotations?: { [key: string]: string };
  /** @format date-time */
  readonly creationTimestamp?: string;
  /** @format int64 */
  readonly deletionGracePeriodSeconds?: number;
  /** @format date-time */
  readonly deletionTimestamp?: string;
  readonly finalizers?: string[];
  readonly generateName?: string;
  /** @format int64 */
  readonly generation?: number;
  readonly labels?: { [key: string]: string };
  readonly name?: string;
  readonly namespace?: string;
  /** @listMapKeys ["uid"] */
  readonly ownerReferences?: OwnerReference[];
  readonly resourceVersion?: string;
  readonly selfLink?: string;
  readonly uid?: string;
}

/**
 * Kubernetes' `OwnerReference` (`meta/v1`). Quantities and values that can be a number or a string are strings here.
 *
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#ownerreference-v1-meta
 */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly blockOwnerDeletion?: boolean;
  readonly controller?: boolean;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}
