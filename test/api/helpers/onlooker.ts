import { ApiServer } from '../../helpers/api-server';

/** A driver's Pod, which may be gone by now. */
export interface DriverRecord {
  readonly uid: string;
  /** Id of the submission that it was created for. */
  readonly submissionID: string;
  /** As last seen. */
  pod: any;
  gone: boolean;
}

/** Observations of an application and its drivers. */
export interface Sight {
  /** As last seen; undefined before it was seen, and when it is gone. */
  application?: any;
  /** Every driver there ever was, in order of creation. */
  readonly drivers: DriverRecord[];
  /** Drivers that were alive while an older one was, by uid. */
  readonly overlaps: string[];
}

const GROUP = '/apis/sparkoperator.k8s.io/v1beta2';
const APPLICATIONS = `${GROUP}/sparkapplications`;
const DRIVERS = '/api/v1/pods?labelSelector=spark-role%3Ddriver';

/**
 * Sees everything that happens to applications and their drivers, by watches of its own, whatever operators do; and plays the kubelet.
 */
export class Onlooker {
  private readonly api = new ApiServer();
  private readonly sights = new Map<string, Sight>();
  private readonly waiting = new Set<() => void>();

  constructor() {
    void this.follow(APPLICATIONS, (type, object) => {
      this.of(object.metadata.namespace, object.metadata.name).application = type === 'DELETED' ? undefined : object;
    });
    void this.follow(DRIVERS, (type, pod) => this.onDriver(type, pod));
  }

  /** Returns the observations of an application. */
  of(namespace: string, name: string): Sight {
    const key = `${namespace}/${name}`;
    if (!this.sights.has(key)) this.sights.set(key, { drivers: [], overlaps: [] });
    return this.sights.get(key)!;
  }

  /**
   * Waits until an application and its drivers are as expected.
   *
   * @param act called at each change before it is looked; plays the kubelet, for example
   */
  until(namespace: string, name: string, fits: (sight: Sight) => boolean, seconds: number, act: (sight: Sight) => void = () => {}): Promise<Sight> {
    const sight = this.of(namespace, name);
    return new Promise((resolve, reject) => {
      const look = () => {
        act(sight);
        if (!fits(sight)) return;
        this.waiting.delete(look);
        clearTimeout(timer);
        resolve(sight);
      };
      const timer = setTimeout(() => {
        this.waiting.delete(look);
        const message = `${name} did not get there in ${seconds} s: ${summary(sight)}`;
        // Separates what the operator did not do from what the watch did not report.
        void this.api.call('GET', `${GROUP}/namespaces/${namespace}/sparkapplications/${name}`).then(
          ({ code, body }) => reject(new Error(`${message}; the API server has ${code} ${JSON.stringify(body.status)}`)),
          (error: Error) => reject(new Error(`${message}; ${error.message}`)),
        );
      }, seconds * 1000);
      this.waiting.add(look);
      look();
    });
  }

  /** Writes the status of a driver, unless it is gone. */
  async setStatus({ uid, pod: { metadata: { namespace, name } } }: DriverRecord, status: object): Promise<void> {
    const { code, body } = await this.api.call('PATCH', `/api/v1/namespaces/${namespace}/pods/${name}/status`, { metadata: { uid }, status }, 'application/merge-patch+json');
    if (code >= 300 && code !== 404 && code !== 409) throw new Error(`the status of ${name} could not be written: ${body.message}`);
  }

  close(): void {
    this.api.close();
  }

  private onDriver(type: string, pod: any): void {
    const { namespace, uid, labels } = pod.metadata;
    const { drivers, overlaps } = this.of(namespace, labels['sparkoperator.k8s.io/app-name']);
    let driver = drivers.find((each) => each.uid === uid);
    if (!driver) {
      if (drivers.some(isAlive)) overlaps.push(uid);
      drivers.push(driver = { uid, submissionID: labels['sparkoperator.k8s.io/submission-id'], pod, gone: false });
    }
    driver.pod = pod;
    driver.gone = type === 'DELETED';
  }

  /** Reports each change of a collection. */
  private async follow(collection: string, take: (type: string, object: any) => void): Promise<void> {
    const known = new Map<string, any>();
    const report = (type: string, object: any) => {
      if (type === 'DELETED') known.delete(object.metadata.uid);
      else known.set(object.metadata.uid, object);
      take(type, object);
      for (const look of [...this.waiting]) look();
    };
    for await (const { type, object } of this.api.follow(collection)) {
      if (type !== 'LISTED') {
        report(type, object);
        continue;
      }
      const listed = new Set(object.items.map(({ metadata }: any) => metadata.uid));
      for (const item of object.items) report('ADDED', item);
      for (const gone of [...known.values()]) if (!listed.has(gone.metadata.uid)) report('DELETED', gone);
    }
  }
}

/** Whether a driver may be running. */
export function isAlive({ gone, pod }: DriverRecord): boolean {
  return !gone && !['Succeeded', 'Failed'].includes(pod.status?.phase);
}

/** The state in the status of an application; empty for a new one, undefined if it is not there. */
export function stateOf({ application }: Sight): string | undefined {
  return application && (application.status?.applicationState?.state ?? '');
}

/** One line about an application, for errors. */
export function summary({ application, drivers }: Sight): string {
  const status = application?.status;
  return JSON.stringify({
    state: status?.applicationState, submissionAttempts: status?.submissionAttempts, executionAttempts: status?.executionAttempts,
    isSeen: application !== undefined, drivers: drivers.map(({ uid, submissionID, gone, pod }) => ({ uid, submissionID, gone, phase: pod.status?.phase })),
  });
}

const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');
const status = (phase: string, state: object) => ({
  phase, startTime: now(), containerStatuses: [{ name: 'spark-kubernetes-driver', image: 'i', imageID: '', ready: false, restartCount: 0, state }],
});

/** Returns the kubelet's status of a running driver. */
export const running = () => status('Running', { running: { startedAt: now() } });
/** Returns the kubelet's status of a driver that has succeeded. */
export const succeeded = () => status('Succeeded', { terminated: { exitCode: 0, reason: 'Completed', startedAt: now(), finishedAt: now() } });
/** Returns the kubelet's status of a driver that has failed. */
export const failed = () => status('Failed', { terminated: { exitCode: 1, reason: 'Error', startedAt: now(), finishedAt: now() } });
