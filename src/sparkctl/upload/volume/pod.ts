import type { KubeObject } from '../../../kube/objects';
import { reasonWithMessage } from '../../../model/obstacle';

/** Name of the pod's container. */
export const CONTAINER = 'upload';

/** Mount path of the claim in the pod. */
export const MOUNT = '/uploads';

/** Seconds after which the pod ends by itself, in case sparkctl cannot delete it. */
const MAX_SECONDS = 3_600;

/**
 * Fields of an application that the pod copies, so that it runs where the application would, with
 * the same access to the volume.
 */
interface ApplicationPart {
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly imagePullSecrets?: readonly string[];
  readonly nodeSelector?: object;
  readonly driver?: {
    readonly image?: string;
    readonly nodeSelector?: object;
    readonly affinity?: object;
    readonly tolerations?: readonly object[];
    readonly podSecurityContext?: object;
    readonly securityContext?: object;
  };
}

/** Returns the image of the driver; undefined if no field of the specification names it. */
export function imageOf(spec: object): string | undefined {
  const { driver, image } = spec as ApplicationPart;
  return driver?.image || image || undefined;
}

/**
 * Returns a pod that mounts a claim and sleeps. It has the security settings and the image of the
 * driver, of which it needs only a shell. It has no token of a service account.
 *
 * @param image image @default - that of the driver
 */
export function uploadPod({ name, namespace, claim, spec, image = imageOf(spec)! }: {
  readonly name: string; readonly namespace: string; readonly claim: string; readonly spec: object; readonly image?: string;
}): KubeObject {
  const { imagePullPolicy, imagePullSecrets = [], nodeSelector, driver = {} } = spec as ApplicationPart;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { 'app.kubernetes.io/name': 'sparkctl-upload', 'app.kubernetes.io/managed-by': 'sparkctl' } },
    spec: {
      restartPolicy: 'Never',
      activeDeadlineSeconds: MAX_SECONDS,
      terminationGracePeriodSeconds: 0,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      imagePullSecrets: imagePullSecrets.map((secret) => ({ name: secret })),
      nodeSelector: driver.nodeSelector ?? nodeSelector,
      affinity: driver.affinity,
      tolerations: driver.tolerations,
      securityContext: driver.podSecurityContext,
      containers: [{
        name: CONTAINER,
        image,
        imagePullPolicy: imagePullPolicy || undefined,
        command: ['sleep', String(MAX_SECONDS)],
        securityContext: { allowPrivilegeEscalation: false, ...driver.securityContext },
        resources: { requests: { cpu: '50m', memory: '32Mi' }, limits: { cpu: '1', memory: '256Mi' } },
        volumeMounts: [{ name: 'uploads', mountPath: MOUNT }],
      }],
      volumes: [{ name: 'uploads', persistentVolumeClaim: { claimName: claim } }],
    },
  } as KubeObject;
}

/** Progress of the pod's start. */
export type PodProgress =
  | { readonly kind: 'running' }
  /** `reason` is why it does not run yet; undefined if unknown. */
  | { readonly kind: 'waiting'; readonly reason?: string }
  /** The pod cannot start any more. */
  | { readonly kind: 'failed'; readonly reason: string };

/** State of a container. */
interface ContainerState {
  readonly running?: object;
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly terminated?: { readonly reason?: string; readonly message?: string };
}

/** Status of a pod; only the fields that are read. */
interface PodStatus {
  readonly phase?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  readonly containerStatuses?: readonly { readonly state?: ContainerState }[];
}

/** Waiting reasons that do not resolve by themselves. */
const FATAL_REASONS: readonly string[] = [
  'ErrImageNeverPull', 'InvalidImageName', 'CreateContainerConfigError', 'CreateContainerError', 'RunContainerError',
  'ImagePullBackOff',
];

/** Returns the progress of the pod by its status. */
export function progressOf(pod: object): PodProgress {
  const { phase, reason, message, conditions = [], containerStatuses = [] } = (pod as { readonly status?: PodStatus }).status ?? {};
  const { running, waiting, terminated } = containerStatuses[0]?.state ?? {};
  if (running) return { kind: 'running' };
  if (terminated || phase === 'Failed' || phase === 'Succeeded') {
    return { kind: 'failed', reason: message ?? terminated?.message ?? terminated?.reason ?? reason ?? 'its container has ended' };
  }
  const why = waiting && reasonWithMessage(waiting);
  if (waiting?.reason && FATAL_REASONS.includes(waiting.reason)) return { kind: 'failed', reason: why! };
  return {
    kind: 'waiting',
    reason: conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False')?.message ?? (why || undefined),
  };
}
