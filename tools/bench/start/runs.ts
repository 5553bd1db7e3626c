import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOfCgroup } from '../../local-cluster/index.ts';
import { ApiClient, type ApiAccess } from '../api-client.ts';
import { usage, processorsBusy } from '../machine.ts';
import { Watch } from '../watch.ts';
import type { Case, Run } from './figures.ts';
import { phasesOf } from './phases.ts';

/** The cluster and the images of the runs. */
export interface RunOptions {
  readonly namespace: string;
  readonly sparkVersion: string;
  /** Images without and with an archive. */
  readonly images: { readonly plain: string; readonly fast: string };
  /** Cgroup of all pods, relative to the root of each hierarchy. */
  readonly cgroup: string;
  /** Seconds after which a run is given up. */
  readonly deadline: number;
}

/** JVM options that suit jobs of less than a minute. */
const SHORT_JOB = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

const PROGRAMS = {
  Python: { type: 'Python', mainApplicationFile: 'local:///opt/spark/applications/pi.py' },
  Java: { type: 'Java', mainClass: 'JavaPi', mainApplicationFile: 'local:///opt/spark/applications/java-pi.jar' },
} as const;

/** Returns the manifest of a case. */
export function manifestOf({ language, executors, arm }: Case, name: string, { namespace, sparkVersion, images }: RunOptions): object {
  const pod = { coreRequest: '100m', memory: '512m', ...(arm === 'short' && { javaOptions: SHORT_JOB }) };
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name, namespace },
    spec: {
      ...PROGRAMS[language], sparkVersion, image: arm === 'plain' ? images.plain : images.fast,
      // All executors take part in the first job, in every arm.
      sparkConf: { 'spark.scheduler.minRegisteredResourcesRatio': '1', 'spark.default.parallelism': String(executors) },
      arguments: [String(executors)],
      ...(arm !== 'plain' && { fastStart: 'auto' }),
      driver: { ...pod, serviceAccount: 'spark' }, executor: { ...pod, instances: executors },
    },
  };
}

/** Runs applications one after the other, and measures them. */
export class Runs {
  private readonly client: ApiClient;
  private readonly options: RunOptions;
  private readonly access: ApiAccess;
  readonly doubts = new Set<string>();
  private count = 0;

  constructor(access: ApiAccess, options: RunOptions) {
    this.access = access;
    this.client = new ApiClient(access, 4);
    this.options = options;
  }

  /** Runs an application from its creation until all its pods are gone. */
  async run(given: Case): Promise<Run> {
    const { namespace, cgroup, deadline } = this.options;
    const name = `start-${this.count++}`;
    const path = `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${namespace}/sparkapplications`;
    let [resolve, reject] = [(_: number) => {}, (_: Error) => {}];
    const ended = new Promise<number>((...functions) => {
      [resolve, reject] = functions;
    });
    // An error before anything waits for it must not end the process.
    ended.catch(() => {});
    const watch = await Watch.open({
      admin: this.client, access: this.access, path, onEnd: (error) => reject(error),
      onChange: ({ object, at }) => {
        if (object.metadata.name !== name) return;
        const { state, errorMessage } = object.status?.applicationState ?? {};
        if (state === 'COMPLETED') resolve(performance.timeOrigin + at);
        if (state === 'FAILED') reject(new Error(`${name}: ${errorMessage}`));
      },
    });
    const timer = setTimeout(() => reject(new Error(`${name} did not end within ${deadline} s`)), deadline * 1000);
    try {
      const [cpuBefore, before] = [cpuOfCgroup(cgroup), usage()];
      const created = performance.timeOrigin + performance.now();
      await this.client.json('POST', path, manifestOf(given, name, this.options));
      const completed = await ended;
      await this.untilPodsEnded(name);
      const cpu = cpuOfCgroup(cgroup) - cpuBefore;
      const { others, stolen } = processorsBusy(before, usage());
      if (stolen > 0.05) this.doubts.add(`the hypervisor kept ${stolen.toFixed(2)} processors for others`);
      // Pods have networks of their own, so that they are among the others.
      const elapsed = performance.timeOrigin + performance.now() - created;
      if (others - cpu / elapsed > 0.3) this.doubts.add('other processes were busy');
      const { text } = await this.client.call('GET', `/api/v1/namespaces/${namespace}/pods/${name}-driver/log?timestamps=true`);
      return { ...given, cpu, phases: phasesOf(text, given.executors, { created, completed }) };
    } finally {
      clearTimeout(timer);
      watch.close();
      await this.client.call('DELETE', `${path}/${name}`);
      await this.untilPodsGone(name);
    }
  }

  close(): void {
    this.client.close();
  }

  private async untilPodsEnded(name: string): Promise<void> {
    await this.until(name, (pods) => pods.every(({ status: { phase } }) => phase === 'Succeeded' || phase === 'Failed'));
  }

  private async untilPodsGone(name: string): Promise<void> {
    await this.until(name, (pods) => pods.length === 0);
  }

  private async until(name: string, holds: (pods: readonly any[]) => boolean): Promise<void> {
    const path = `/api/v1/namespaces/${this.options.namespace}/pods?labelSelector=sparkoperator.k8s.io/app-name=${name}`;
    for (const end = performance.now() + 60_000; ; await sleep(100)) {
      if (holds((await this.client.json('GET', path)).items)) return;
      if (performance.now() > end) throw new Error(`the pods of ${name} did not end`);
    }
  }
}
