import type { Container, PodSpec } from '../k8s';

/**
 * Types of volumes that the standard allows.
 * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
 */
const VOLUMES: readonly string[] = [
  'configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'persistentVolumeClaim', 'projected', 'secret',
];

const PROFILES: readonly unknown[] = ['RuntimeDefault', 'Localhost'];

/**
 * Returns the requirements of the restricted Pod Security Standard that a container does not meet.
 *
 * @returns conditions such as `privileged must not be true`
 * @internal
 */
export function missingRestrictions(
  { securityContext: own = {}, ports = [] }: Container, { securityContext: pod = {} }: PodSpec,
): string[] {
  const { allowPrivilegeEscalation, capabilities, privileged, runAsNonRoot = pod.runAsNonRoot, runAsUser = pod.runAsUser } = own;
  const { seccompProfile = pod.seccompProfile } = own;
  const conditions: readonly (readonly [isMet: boolean, condition: string])[] = [
    [allowPrivilegeEscalation === false, 'allowPrivilegeEscalation must be false'],
    [capabilities?.drop?.includes('ALL') ?? false, 'capabilities.drop must contain ALL'],
    [(capabilities?.add ?? []).every((name) => name === 'NET_BIND_SERVICE'), 'capabilities.add must not contain others than NET_BIND_SERVICE'],
    [privileged !== true, 'privileged must not be true'],
    [runAsNonRoot === true, 'runAsNonRoot must be true'],
    [runAsUser !== 0, 'runAsUser must not be 0'],
    [PROFILES.includes(seccompProfile?.type), 'seccompProfile.type must be RuntimeDefault or Localhost'],
    [ports.every(({ hostPort }) => !hostPort), 'ports must not have a hostPort'],
  ];
  return conditions.filter(([isMet]) => !isMet).map(([, condition]) => condition);
}

/**
 * Returns the type of a volume if the standard does not allow it.
 * @internal
 */
export function unrestrictedVolume(volume: object): string | undefined {
  return Object.keys(volume).find((field) => field !== 'name' && !VOLUMES.includes(field));
}
