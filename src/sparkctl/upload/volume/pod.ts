import type { KubeObject } from '../../../kube/objects';

/** Name of the only container. */
export const CONTAINER = 'upload';

/** Where the pod has the claim. */
export const MOUNT = '/uploads';

/** Seconds after which the pod ends by itself, if nobody is there any more to remove it. */
const LONGEST = 3_600;

/** What of an application the pod is made like, so that it runs where the application would, with the same rights on the volume. */
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

/** The image that the driver runs in; undefined if the specification does not say it in a field. */
export function imageOf(spec: object): string | undefined {
  const { driver, image } = spec as ApplicationPart;
  return driver?.image || image || undefined;
}

/**
 * A pod that mounts a claim and waits. It has the image of the driver, which is surely there, and of which nothing but a shell is used, its security settings, and no service account's token.
 *
 * @param image in place of the driver's
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
      activeDeadlineSeconds: LONGEST,
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
        command: ['sleep', String(LONGEST)],
        securityContext: { allowPrivilegeEscalation: false, ...driver.securityContext },
        resources: { requests: { cpu: '50m', memory: '32Mi' }, limits: { cpu: '1', memory: '256Mi' } },
        volumeMounts: [{ name: 'uploads', mountPath: MOUNT }],
      }],
      volumes: [{ name: 'uploads', persistentVolumeClaim: { claimName: claim } }],
    },
  } as KubeObject;
}

/** What becomes of the pod, as far as is to be seen. */
export type PodProgress =
  | { readonly kind: 'running' }
  /** `reason` is why it does not run yet; undefined if nobody says. */
  | { readonly kind: 'waiting'; readonly reason?: string }
  /** It will never run. */
  | { readonly kind: 'failed'; readonly reason: string };

/** How a container is. */
interface ContainerState {
  readonly running?: object;
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly terminated?: { readonly reason?: string; readonly message?: string };
}

/** What stands in the status of a pod, as far as it is looked at. */
interface PodStatus {
  readonly phase?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  readonly containerStatuses?: readonly { readonly state?: ContainerState }[];
}

/** Reasons for which a container does not start until somebody changes something. */
const HOPELESS: readonly string[] = ['ErrImageNeverPull', 'InvalidImageName', 'CreateContainerConfigError', 'CreateContainerError', 'RunContainerError', 'ImagePullBackOff'];

/** What becomes of the pod, by its status. */
export function progressOf(pod: object): PodProgress {
  const { phase, reason, message, conditions = [], containerStatuses = [] } = (pod as { readonly status?: PodStatus }).status ?? {};
  const { running, waiting, terminated } = containerStatuses[0]?.state ?? {};
  if (running) return { kind: 'running' };
  if (terminated || phase === 'Failed' || phase === 'Succeeded') return { kind: 'failed', reason: message ?? terminated?.message ?? terminated?.reason ?? reason ?? 'its container has ended' };
  const why = waiting && [waiting.reason, waiting.message].filter(Boolean).join(': ');
  if (waiting?.reason && HOPELESS.includes(waiting.reason)) return { kind: 'failed', reason: why! };
  return { kind: 'waiting', reason: conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False')?.message ?? (why || undefined) };
}
