import { createHash } from 'node:crypto';
import type { ApiServer } from '../../helpers/api-server';
import { kubeflowFixtures } from '../../helpers/kubeflow-fixtures';

/** The fields of a status that kubeflow's operator has in its Go structs: each write of its writes these, and drops all others. */
const THEIR_STATUS_FIELDS = [
  'sparkApplicationId', 'submissionID', 'lastSubmissionAttemptTime', 'terminationTime', 'driverInfo', 'applicationState', 'executorState', 'executionAttempts',
  'submissionAttempts',
];

/** The name under which the API server records its writes. */
const THEIR_MANAGER = 'spark-operator';

const GROUPS: Readonly<Record<string, string>> = {
  Pod: 'api/v1 pods', Service: 'api/v1 services', ConfigMap: 'api/v1 configmaps', Ingress: 'apis/networking.k8s.io/v1 ingresses',
  PodDisruptionBudget: 'apis/policy/v1 poddisruptionbudgets', SparkApplication: 'apis/sparkoperator.k8s.io/v1beta2 sparkapplications',
};

/** The path of an object on the API server; without a name that of its kind. */
export function pathOf(namespace: string, kind: string, name = ''): string {
  const [group, plural] = GROUPS[kind]!.split(' ');
  return `/${group}/namespaces/${namespace}/${plural}${name && `/${name}`}`;
}

/** A fixture, and how an application differs from it. */
export interface Situation {
  /** Name of the application; all other names follow. */
  readonly name: string;
  /** The fixture that it begins with. */
  readonly fixture: string;
  /** Changes the objects of the fixture, the application first. */
  readonly change?: (application: any, objects: any[]) => void;
}

/**
 * Puts a situation that kubeflow's operator leaves into a real cluster. Names, ids, namespace and uids become its own, and nothing is longer ago than some minutes. The
 * kubelet is played: pods have the status of the fixture.
 *
 * @returns the objects as the API server has them, the application first
 */
export async function place(api: ApiServer, namespace: string, { name, fixture, change }: Situation): Promise<any[]> {
  const { objects, application } = kubeflowFixtures().find(({ situation }) => situation === fixture)!;
  const text = JSON.stringify(objects)
    .replaceAll(application.metadata.name, name)
    .replaceAll(/"2026-03-01T[^"]*"/g, (time) => JSON.stringify(recent(JSON.parse(time))))
    .replaceAll(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b[0-9a-f]{16,32}\b/g, (id) => ownId(name, id));
  const own: any[] = JSON.parse(text);
  change?.(own[0], own);
  const uids = new Map<string, string>();
  const placed: any[] = [];
  for (const { metadata, status, ...rest } of own) {
    const { uid, labels, annotations, ownerReferences } = metadata;
    if (rest.kind === 'Service' && rest.spec.clusterIP !== 'None') delete rest.spec.clusterIP;
    const created = await api.must('POST', pathOf(namespace, rest.kind), {
      ...rest, metadata: { name: metadata.name, labels, annotations, ownerReferences: ownerReferences?.map((owner: any) => ({ ...owner, uid: uids.get(owner.uid) })) },
    });
    uids.set(uid, created.metadata.uid);
    if (rest.kind === 'SparkApplication' && status) placed.push(await writeTheirStatus(api, created, status));
    else if (rest.kind === 'Pod' && status) placed.push(await setPodStatus(api, namespace, metadata.name, status));
    else placed.push(created);
  }
  return placed;
}

/** Another id of the same form: those of a fixture are there several times. */
function ownId(name: string, id: string): string {
  const digits = createHash('sha256').update(`${name} ${id}`).digest('hex');
  let next = 0;
  return id.replaceAll(/[0-9a-f]/g, () => digits[next++]!);
}

/** Writes a status as kubeflow's operator does: what it does not know is dropped, and times that are none are null. */
export function writeTheirStatus(api: ApiServer, application: any, status: any): Promise<any> {
  const { name, namespace } = application.metadata;
  const known = Object.fromEntries(THEIR_STATUS_FIELDS.filter((field) => status[field] !== undefined).map((field) => [field, status[field]]));
  return api.must('PUT', `${pathOf(namespace, 'SparkApplication', name)}/status?fieldManager=${THEIR_MANAGER}`, {
    ...application, status: { lastSubmissionAttemptTime: null, terminationTime: null, driverInfo: {}, ...known },
  });
}

/** Plays the kubelet. */
export function setPodStatus(api: ApiServer, namespace: string, name: string, status: object): Promise<any> {
  return api.must('PATCH', `${pathOf(namespace, 'Pod', name)}/status`, { status }, 'application/merge-patch+json');
}

/** The fixtures begin at 10:00: that is ten minutes ago. Nothing is in the future. */
function recent(time: string): string {
  const shifted = Date.parse(time) - Date.parse('2026-03-01T10:10:00Z') + Date.now();
  return new Date(Math.min(shifted, Date.now())).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** History of the drivers in a namespace. */
export interface DriverHistory {
  /** The uids of the drivers of each application, in the order of their creation. */
  readonly drivers: Map<string, string[]>;
  /** Uids of drivers that were deleted while they ran. */
  readonly stopped: Set<string>;
  /** Applications that had more than one driver at a time. */
  readonly doubled: Set<string>;
}

/** Follows the drivers of a namespace from now on; `end` takes what has happened so far. */
export function followDrivers(api: ApiServer, namespace: string): { end(): Promise<DriverHistory> } {
  const history: DriverHistory = { drivers: new Map(), stopped: new Set(), doubled: new Set() };
  const alive = new Map<string, Set<string>>();
  const last = 'the-last-driver';
  const follow = async () => {
    for await (const { type, object } of api.watch(`${pathOf(namespace, 'Pod')}?watch=true&labelSelector=spark-role%3Ddriver&timeoutSeconds=600`)) {
      const { name, uid, labels } = object.metadata;
      if (name === last) return;
      const application = labels['sparkoperator.k8s.io/app-name'];
      const now = alive.get(application) ?? new Set();
      alive.set(application, now);
      if (type === 'ADDED') history.drivers.set(application, [...history.drivers.get(application) ?? [], uid]);
      if (type === 'DELETED') now.delete(uid);
      else now.add(uid);
      if (type === 'DELETED' && object.status.phase === 'Running') history.stopped.add(uid);
      if (now.size > 1) history.doubled.add(application);
    }
    throw new Error('the watch of drivers has ended too early');
  };
  const done = follow();
  done.catch(() => undefined);
  return {
    async end() {
      await api.must('POST', pathOf(namespace, 'Pod'), { metadata: { name: last, labels: { 'spark-role': 'driver' } }, spec: { containers: [{ name: 'c', image: 'example.org/c:1' }] } });
      await done;
      return history;
    },
  };
}
