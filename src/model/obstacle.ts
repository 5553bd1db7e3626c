/**
 * Reasons of waiting containers that need user action (kubelet: pkg/kubelet/images and
 * kuberuntime).
 */
const STUCK_REASONS = new Set([
  'ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull', 'ImageInspectError', 'RegistryUnavailable',
  'CreateContainerConfigError', 'CreateContainerError', 'RunContainerError', 'CrashLoopBackOff',
]);

/** Those of them that are about the image. */
const IMAGE_REASONS = new Set([
  'ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull', 'ImageInspectError', 'RegistryUnavailable',
]);

/**
 * The scheduler's message for a missing claim (plugins/volumebinding). It needs user action, unlike
 * a missing node.
 */
const VOLUME_MISSING = /persistentvolumeclaim "[^"]*" not found/;

/**
 * Messages of the kubelet about volumes that can still be attached or detached elsewhere
 * (pkg/volume: `WaitForAttachAndMount`).
 */
const VOLUME_IN_USE = /timed out waiting|multi-attach|attach(?!ed to)/i;

/**
 * Message of the kubelet whose cache of ConfigMaps and Secrets has not synchronized yet
 * (pkg/kubelet/util/manager). It mounts the volume at its next try.
 */
const CACHE_BEHIND = /failed to sync (?:configmap|secret) cache: timed out waiting for the condition/;

/**
 * Message of the kubelet about the ConfigMap that a driver creates for its executors, just after
 * the first ones (KubernetesClusterSchedulerBackend).
 */
const NOT_YET_CREATED = /configmap "spark-exec-[0-9a-f]+-conf-map" not found/;

/** Whether an event of the kubelet reports only a usual delay. */
export function isUsualDelay(message: string): boolean {
  return CACHE_BEHIND.test(message) || NOT_YET_CREATED.test(message);
}

/** Whether the reason of a waiting container needs user action. */
export function isStuckReason(reason: string): boolean {
  return STUCK_REASONS.has(reason);
}

/** Whether the reason of a waiting container is about its image. */
export function isImageReason(reason: string): boolean {
  return IMAGE_REASONS.has(reason);
}

/** Whether the scheduler waits for a claim that does not exist. */
export function isMissingClaim(message: string | undefined): boolean {
  return VOLUME_MISSING.test(message ?? '');
}

/** Whether an event of the kubelet reports a volume whose content does not exist. */
export function isMissingVolume(reason: string | undefined, message: string): boolean {
  return reason === 'FailedMount' && !VOLUME_IN_USE.test(message);
}

/** Whether a pod that does not start needs user action, by Kubernetes' reason and message. */
export function needsUserAction(reason: string, message: string): boolean {
  return isStuckReason(reason) || isMissingClaim(message) || isMissingVolume(reason, message);
}

/** Joins a reason and a message of Kubernetes, such as `Unschedulable: 0/3 nodes are available`. */
export function reasonWithMessage({ reason, message }: { readonly reason?: string; readonly message?: string }): string {
  return [reason, message].filter(Boolean).join(': ');
}
