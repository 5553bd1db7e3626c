import { refuseArguments } from './_check';
import { wrongName } from './_names';
import { BatchSchedulerConfiguration } from '../api/spark-application';
import { parseQuantity } from '../rules/quantity';

/** What Volcano, or a scheduler that is named, is told. */
export interface BatchSchedulerOptions {
  /**
   * The queue that the application waits in.
   *
   * @default - the scheduler's default
   */
  readonly queue?: string;

  /**
   * Name of the PriorityClass of the application's group of pods.
   *
   * @default - none
   */
  readonly priorityClassName?: string;

  /**
   * Resources that must be free before the application starts, as Kubernetes quantities: `{ cpu: '8', memory: '32Gi' }`.
   *
   * @default - those of driver and initial executors
   */
  readonly resources?: { [name: string]: string };
}

/** What YuniKorn is told. */
export interface YunikornOptions {
  /**
   * The queue that the application waits in, such as `root.spark`.
   *
   * @default - the scheduler's default
   */
  readonly queue?: string;
}

/** What the coscheduling plugin of Kubernetes' own scheduler is told. */
export interface KubeSchedulerOptions {
  /**
   * The name by which the scheduler runs with the plugin. The operator has to know it (`batchScheduling: { kubeSchedulers }`).
   *
   * @default - `scheduler-plugins-scheduler`, that of its chart
   */
  readonly schedulerName?: string;

  /**
   * Resources that must be free before the application starts, as Kubernetes quantities: `{ cpu: '8', memory: '32Gi' }`.
   *
   * @default - those of driver and initial executors
   */
  readonly resources?: { [name: string]: string };
}

/**
 * A scheduler that starts driver and executors together or not at all, and keeps queues.
 *
 * It writes `batchScheduler` and `batchSchedulerOptions` into the manifest. The operator must have batch scheduling switched on (`batchScheduling` of `SparkOperator`) and know the scheduler; if not,
 * the pods only name it as their scheduler, and a warning event says so. The scheduler must run in the cluster, or the pods wait.
 */
export class BatchScheduler {
  /**
   * Volcano.
   *
   * @see https://volcano.sh
   * @param options Queue, priority and resources of the group of pods.
   */
  public static volcano(options: BatchSchedulerOptions = {}): BatchScheduler {
    return BatchScheduler.make('BatchScheduler.volcano', 'volcano', options);
  }

  /**
   * Apache YuniKorn.
   *
   * @see https://yunikorn.apache.org
   * @param options The queue.
   */
  public static yunikorn(options: YunikornOptions = {}): BatchScheduler {
    return BatchScheduler.make('BatchScheduler.yunikorn', 'yunikorn', options);
  }

  /**
   * Kubernetes' own scheduler with the coscheduling plugin.
   *
   * @see https://github.com/kubernetes-sigs/scheduler-plugins
   * @param options Its name, and the resources of the group of pods.
   */
  public static kubeScheduler(options: KubeSchedulerOptions = {}): BatchScheduler {
    const { schedulerName = 'scheduler-plugins-scheduler', resources } = options;
    return BatchScheduler.make('BatchScheduler.kubeScheduler', schedulerName, { resources }, 'schedulerName');
  }

  /**
   * A scheduler by the name under which the operator knows it.
   *
   * @param name Its name: lower-case letters, digits, dashes and dots.
   * @param options Queue, priority and resources of the group of pods.
   */
  public static named(name: string, options: BatchSchedulerOptions = {}): BatchScheduler {
    return BatchScheduler.make('BatchScheduler.named', name, options);
  }

  private static make(factory: string, name: string, { queue, priorityClassName, resources }: BatchSchedulerOptions, nameProp = 'name'): BatchScheduler {
    refuseArguments(factory, [
      wrongName(nameProp, name),
      queue !== undefined && queue.trim() === '' ? { path: 'queue', value: queue, reason: 'must not be empty' } : undefined,
      wrongName('priorityClassName', priorityClassName),
      ...Object.entries(resources ?? {}).map(([resource, amount]) => (
        (parseQuantity(amount) ?? -1n) >= 0n ? undefined : { path: `resources[${JSON.stringify(resource)}]`, value: amount, reason: 'must be a quantity such as 500m, 2 or 4Gi' }
      )),
    ]);
    const isTold = queue !== undefined || priorityClassName !== undefined || resources !== undefined;
    return new BatchScheduler(name, isTold ? { queue, priorityClassName, resources } : undefined);
  }

  private constructor(private readonly name: string, private readonly options: BatchSchedulerConfiguration | undefined) {}

  /** @internal */
  public _toSpec(): { batchScheduler: string; batchSchedulerOptions?: BatchSchedulerConfiguration } {
    return { batchScheduler: this.name, batchSchedulerOptions: this.options };
  }
}
