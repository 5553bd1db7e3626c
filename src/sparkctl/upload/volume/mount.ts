/** Mount path of uploads in pods that do not mount the claim yet. */
const FOLDER = '/opt/sparkctl';

const VOLUME = 'sparkctl-uploads';

/** Fields of a specification for volumes. */
interface Mounting {
  readonly volumes?: readonly { readonly name: string; readonly persistentVolumeClaim?: { readonly claimName?: string } }[];
  readonly driver?: PodPart;
  readonly executor?: PodPart;
}

interface PodPart {
  readonly volumeMounts?: readonly Mount[];
}

interface Mount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
  readonly subPath?: string;
  readonly subPathExpr?: string;
}

const ROLES = ['driver', 'executor'] as const;

/**
 * Returns the mount path of a claim: the existing one, if driver and executors mount the whole
 * claim at the same path.
 */
export function mountPathOf(claim: string, spec: object): string {
  return ownMountPath(claim, spec as Mounting) ?? `${FOLDER}/${claim}`;
}

/**
 * Mounts the claim read-only in driver and executors, unless both mount the whole claim at the same
 * path already.
 */
export function withMounts<T extends object>(claim: string, specification: T): T {
  const spec = specification as Mounting;
  if (ownMountPath(claim, spec) !== undefined) return specification;
  const name = volumesOf(claim, spec)[0] ?? freeName(spec);
  const volumes = volumesOf(claim, spec).length > 0
    ? spec.volumes
    : [...spec.volumes ?? [], { name, persistentVolumeClaim: { claimName: claim } }];
  const mount = { name, mountPath: mountPathOf(claim, spec), readOnly: true };
  const roles = ROLES.map((role) => [role, { ...spec[role], volumeMounts: [...spec[role]?.volumeMounts ?? [], mount] }] as const);
  return { ...specification, volumes, ...Object.fromEntries(roles) };
}

/** Returns the path at which both roles mount the whole claim; undefined if there is none. */
function ownMountPath(claim: string, spec: Mounting): string | undefined {
  const names = volumesOf(claim, spec);
  const [driver, executor] = ROLES.map((role) => (spec[role]?.volumeMounts ?? []).filter(
    ({ name, subPath, subPathExpr }) => names.includes(name) && !subPath && !subPathExpr,
  ).map(({ mountPath }) => mountPath.replace(/(?<=.)\/+$/, '')));
  return driver!.find((path) => executor!.includes(path));
}

function volumesOf(claim: string, { volumes = [] }: Mounting): string[] {
  return volumes.filter(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim).map(({ name }) => name);
}

function freeName({ volumes = [] }: Mounting): string {
  const used = new Set(volumes.map(({ name }) => name));
  let name = VOLUME;
  for (let number = 2; used.has(name); number++) name = `${VOLUME}-${number}`;
  return name;
}
