import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stringify } from 'yaml';

/** A port in the network of the cluster. */
const PORT = 16545;

/** Kubernetes' real scheduler with the real coscheduling plugin, as a process beside the API server, for the pods that name it. */
export class Coscheduler {
  private readonly log: string[] = [];

  private constructor(private readonly child: ChildProcess, private readonly folder: string) {
    for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on('line', (line) => this.log.push(line));
  }

  /** @param program a kube-scheduler that the plugin is compiled into */
  static async start(program: string, schedulerName: string): Promise<Coscheduler> {
    const folder = mkdtempSync(join(tmpdir(), 'coscheduler-'));
    const configuration = join(folder, 'configuration.yaml');
    writeFileSync(configuration, stringify({
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      clientConnection: { kubeconfig: process.env.KUBECONFIG },
      leaderElection: { leaderElect: false },
      // A pod that is held back is tried again after this time at the latest; it is long enough for a cluster of people.
      podMaxBackoffSeconds: 1,
      profiles: [{
        schedulerName,
        plugins: { multiPoint: { enabled: [{ name: 'Coscheduling' }], disabled: [{ name: 'PrioritySort' }] } },
        pluginConfig: [{ name: 'Coscheduling', args: { permitWaitingTimeSeconds: 10, podGroupBackoffSeconds: 0 } }],
      }],
    }));
    const child = spawn(program, [
      `--config=${configuration}`, '--bind-address=127.0.0.1', `--secure-port=${PORT}`, `--cert-dir=${folder}`, '--authentication-skip-lookup=true',
      // The plugin watches PodGroups apart from the scheduler. A pod whose PodGroup it sees late is held back, and tried again after 30 s instead of five minutes.
      '--pod-max-in-unschedulable-pods-duration=1s',
    ], { stdio: ['ignore', 'pipe', 'pipe'] });
    const scheduler = new Coscheduler(child, folder);
    child.once('error', (error) => scheduler.log.push(error.message));
    return scheduler;
  }

  /** Ends it. */
  async stop(): Promise<void> {
    if (this.child.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null) {
      const exit = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await exit;
    }
    rmSync(this.folder, { recursive: true });
  }

  /** The end of its log. */
  tail(): string {
    return this.log.slice(-30).join('\n');
  }
}
