import type { CheckOperator } from './operator-watch';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { leaseOf, readPresences, type OperatorPresence, type OperatorPresences } from '../../model/operator-presence';
import type { ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import type { WholeApplication } from '../../model/spark-application';
import { statusWriters } from '../../model/status-writers';

/** Maximum number of operators that are known. */
const MAX_OPERATORS = 5;

/** Object by which an operator is known. */
type Sample = Pick<ScheduledSparkApplication, 'metadata' | 'statusWriters'>;

/** Operators that wrote the statuses of applications and schedules; the latest ones are kept. */
export class KnownOperators {
  /** One object of each operator, by the operator's Lease. */
  private readonly samples = new Map<string, Sample>();
  private presences?: OperatorPresences;

  /** Remembers the operator of an application or schedule. */
  add(object: WholeApplication | ScheduledSparkApplication): void {
    const lease = leaseOf(object);
    if (!lease) return;
    const key = `${lease.namespace}/${lease.name}`;
    this.samples.delete(key);
    this.samples.set(key, sampleOf(object));
    if (this.samples.size > MAX_OPERATORS) this.samples.delete(this.samples.keys().next().value!);
  }

  /**
   * Returns whether the operator of an application runs, by the last check; undefined if unknown.
   */
  of(application: WholeApplication): OperatorPresence | undefined {
    return this.presences?.of(application);
  }

  /**
   * Returns a check whether one of them runs, by the Leases that the client can read.
   *
   * @param clock for the age of the Leases
   */
  check(client: Pick<KubeClient, 'get' | 'list'>, clock: Pick<Clock, 'now'>): CheckOperator {
    return async (signal) => {
      const samples = [...this.samples.values()];
      const presences = await readPresences(client, samples, clock.now(), signal);
      this.presences = presences;
      const found = samples.map((sample) => presences.of(sample));
      // While one of them is unknown, it might run.
      return found.find((presence) => presence?.isActive) ?? (found.includes(undefined) ? undefined : found.at(-1));
    };
  }
}

/** Returns the fields by which the operator of an object is known. */
function sampleOf({ metadata }: WholeApplication | ScheduledSparkApplication): Sample {
  const { namespace, name, uid } = metadata;
  return { metadata: { namespace, name, uid }, statusWriters: statusWriters(metadata) };
}
