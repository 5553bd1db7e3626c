import { rejectArguments } from './_check';
import { checkArguments, text, texts } from './_prop-types';
import { wrongName } from '../rules/names';
import { BatchSchedulerConfiguration } from '../api/spark-application';
import { parseQuantity } from '../rules/quantity';

/** Settings for Volcano, or for a scheduler by name. */
export interface BatchSchedulerOptions {
  /**
   * Queue of the application.
   *
   * @default - the scheduler's default
   */
  readonly queue?: string;

  /**
   * Name of the PriorityClass of the application's PodGroup.
   *
   * @default - none
   */
  readonly priorityClassName?: string;

  /**
   * Resources that must be free before the application starts, as Kubernetes quantities: `{ cpu:
   * '8', memory: '32Gi' }`.
   *
   * @default - those of driver and initial executors
   */
  readonly resources?: { [name: string]: string };
}

/** Settings for YuniKorn. */
export interface YunikornOptions {
  /**
   * Queue of the application, such as `root.spark`.
   *
   * @default - the scheduler's default
   */
  readonly queue?: string;
}

/** Settings for the coscheduling plugin of Kubernetes' own scheduler. */
export interface KubeSchedulerOptions {
  /**
   * Name of the scheduler that runs with the plugin. The operator must know it (`batchScheduling: {
   * kubeSchedulers }`).
   *
   * @default - `scheduler-plugins-scheduler`, that of its chart
   */
  readonly schedulerName?: string;

  /**
   * Resources that must be free before the application starts, as Kubernetes quantities: `{ cpu:
   * '8', memory: '32Gi' }`.
   *
   * @default - those of driver and initial executors
   */
  readonly resources?: { [name: string]: string };
}

const OPTIONS = { queue: text, priorityClassName: text, resources: texts } as const;

/**
 * A scheduler that starts driver and executors together or not at all, and manages queues.
 *
 * It writes `batchScheduler` and `batchSchedulerOptions` into the manifest. The operator must have
 * batch scheduling enabled (`batchScheduling` of `SparkOperator`) and know the scheduler. Otherwise
 * only the pods contain its name, and the operator records a warning event. The scheduler must run
 * in the cluster, or the pods stay pending.
 */
export class BatchScheduler {
  /**
   * Volcano.
   *
   * @see https://volcano.sh
   * @param options Queue, priority and resources of the PodGroup.
   */
  public static volcano(options: BatchSchedulerOptions = {}): BatchScheduler {
    const valid = checkArguments('BatchScheduler.volcano', { options }, { options: OPTIONS });
    return BatchScheduler.make('BatchScheduler.volcano', 'volcano', valid.options);
  }

  /**
   * Apache YuniKorn.
   *
   * @see https://yunikorn.apache.org
   * @param options Queue.
   */
  public static yunikorn(options: YunikornOptions = {}): BatchScheduler {
    options = checkArguments('BatchScheduler.yunikorn', { options }, { options: { queue: text } }).options;
    return BatchScheduler.make('BatchScheduler.yunikorn', 'yunikorn', options);
  }

  /**
   * Kubernetes' own scheduler with the coscheduling plugin.
   *
   * @see https://github.com/kubernetes-sigs/scheduler-plugins
   * @param options Name of the scheduler, and resources of the PodGroup.
   */
  public static kubeScheduler(options: KubeSchedulerOptions = {}): BatchScheduler {
    const valid = checkArguments('BatchScheduler.kubeScheduler', { options }, { options: { schedulerName: text, resources: texts } });
    const { schedulerName = 'scheduler-plugins-scheduler', resources } = valid.options;
    return BatchScheduler.make('BatchScheduler.kubeScheduler', schedulerName, { resources }, 'schedulerName');
  }

  /**
   * A scheduler by the name under which the operator knows it.
   *
   * @param name Name: lower-case letters, digits, dashes and dots.
   * @param options Queue, priority and resources of the PodGroup.
   */
  public static named(name: string, options: BatchSchedulerOptions = {}): BatchScheduler {
    const valid = checkArguments('BatchScheduler.named', { name, options }, { name: text, options: OPTIONS });
    return BatchScheduler.make('BatchScheduler.named', name, valid.options);
  }

  private static make(
    factory: string, name: string, { queue, priorityClassName, resources }: BatchSchedulerOptions, nameProp = 'name',
  ): BatchScheduler {
    rejectArguments(factory, [
      wrongName(nameProp, name),
      queue !== undefined && queue.trim() === '' ? { path: 'queue', value: queue, reason: 'must not be empty' } : undefined,
      wrongName('priorityClassName', priorityClassName),
      ...Object.entries(resources ?? {}).map(([resource, amount]) => (
        (parseQuantity(amount) ?? -1n) >= 0n ? undefined : {
          path: `resources[${resource}]`, value: amount, reason: 'must be a quantity such as 500m, 2 or 4Gi',
        }
      )),
    ]);
    const isConfigured = queue !== undefined || priorityClassName !== undefined || resources !== undefined;
    return new BatchScheduler(name, isConfigured ? { queue, priorityClassName, resources } : undefined);
  }

  private constructor(private readonly name: string, private readonly options: BatchSchedulerConfiguration | undefined) {}

  /** @internal */
  public _toScheduler(): { batchScheduler: string; batchSchedulerOptions?: BatchSchedulerConfiguration } {
    return { batchScheduler: this.name, batchSchedulerOptions: this.options };
  }
}
