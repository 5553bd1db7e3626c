import { existsSync, renameSync } from 'node:fs';
import { ApiClient } from '../api-client.ts';
import { NAMESPACES as OPERATOR_NAMESPACES } from '../application.ts';
import type { Surroundings } from '../child-program.ts';
import { install, kubeconfig, type Installation } from '../installation.ts';
import { Operator, type LogEntry } from '../operator.ts';
import { appears } from '../passes.ts';
import type { Task } from './inside.ts';
import { nodesFor, SimulatedNodes } from './nodes.ts';
import { profileOf } from './plan.ts';
import { NAMESPACES, Stage } from './stage.ts';

/** What all phases work with: a cluster with nodes, an operator, and a stage. */
export class World {
  readonly task: Task;
  readonly progress: (text: string) => void;
  readonly admin: ApiClient;
  readonly nodes: SimulatedNodes;
  readonly stage: Stage;
  /** The one that works. */
  operator: Operator;
  private readonly installation: Installation;
  private readonly folder: string;
  private readonly formerComplaints: string[] = [];

  private constructor(task: Task, { progress, folder }: Surroundings, installation: Installation, admin: ApiClient, nodes: SimulatedNodes) {
    this.task = task;
    this.progress = progress;
    this.folder = folder;
    this.installation = installation;
    this.admin = admin;
    this.nodes = nodes;
    this.operator = this.newOperator();
    this.stage = new Stage({
      access: installation.admin, nodes, check: () => void this.operator.cpu(), complaints: () => this.complaints, progress: (text) => this.progress(text),
    });
  }

  /** Installs and starts everything. */
  static async begin(task: Task, surroundings: Surroundings): Promise<World> {
    surroundings.progress('installing the operator');
    const installation = install(NAMESPACES);
    const admin = new ApiClient(installation.admin, 8);
    const nodes = await SimulatedNodes.start(admin, task.kwok, surroundings.folder, nodesFor(task.most * (1 + task.executors)));
    const world = new World(task, surroundings, installation, admin, nodes);
    await world.operator.ready();
    await world.stage.open();
    return world;
  }

  /** Starts an operator as in a cluster: with the rights of its service account, and the election of a leader. */
  newOperator(onLog?: (entry: LogEntry) => void, profileStart = false): Operator {
    const { installation: { serviceAccount, flags }, folder, task: { bundle, workers, profile } } = this;
    return new Operator({
      file: bundle,
      kubeconfig: kubeconfig(folder, 'operator', serviceAccount, `https://${serviceAccount.host}:${serviceAccount.port}`),
      namespace: NAMESPACES.join(','),
      flags: [...flags, '--leader-election=true', `--leader-election-lock-namespace=${OPERATOR_NAMESPACES.operator}`],
      workers,
      onLog,
      profile,
      profileStart,
    });
  }

  /** From now on another one works. */
  replaceOperator(operator: Operator): void {
    this.formerComplaints.push(...this.operator.complaints);
    this.operator = operator;
  }

  /** What the operators complained about in their logs. */
  get complaints(): readonly string[] {
    return [...this.formerComplaints, ...this.operator.complaints];
  }

  /** Begins to take the operator's CPU time apart, if that is asked for. */
  beginProfile(): void {
    if (this.task.profile) this.operator.signal('SIGUSR2');
  }

  /** Ends it, and keeps what was found. */
  async endProfile(phase: string): Promise<void> {
    const { operator, task: { profile } } = this;
    if (!profile) return;
    operator.signal('SIGUSR2');
    await appears(profile);
    if (existsSync(profile)) renameSync(profile, profileOf(profile, phase));
  }

  /** Ends everything. */
  async end(): Promise<void> {
    this.stage.close();
    await this.operator.stop();
  }
}
