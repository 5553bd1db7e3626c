import { countsOf } from './rows';
import { ApplicationState } from '../../api/states';
import { stateOf, type WholeApplication } from '../../model/spark-application';
import type { ApplicationRow, Attempt, PodRow, StatePeriod } from '../wire';

/** States in which a driver runs, or is about to. */
const ALIVE: readonly ApplicationState[] = [ApplicationState.SUBMITTED, ApplicationState.RUNNING];

/**
 * Returns the pod of a driver that has ended although the status has it running, as while no
 * operator runs; undefined for others.
 */
export function endedDriver(application: WholeApplication, pods: readonly PodRow[]): PodRow | undefined {
  const { driverInfo, submissionID } = application.status ?? {};
  if (!ALIVE.includes(stateOf(application))) return undefined;
  return pods.find(({ name, attempt, state }) => name === driverInfo?.podName && ['COMPLETED', 'FAILED'].includes(state)
    // The pod of the previous attempt has the same name.
    && [undefined, submissionID].includes(attempt));
}

/** Ends the latest of some attempts or states with the driver. */
export function endedWith<T extends Attempt | StatePeriod>(driver: PodRow | undefined, periods: readonly T[]): T[] {
  const to = driver?.ended;
  return periods.map((period, index) => (to !== undefined && period.to === undefined && index === periods.length - 1
    ? { ...period, to: Math.max(to, period.from) }
    : period));
}

/** Returns the row with the end of the driver, and the executors of the existing pods. */
export function endedRow(driver: PodRow, { executors: _, ...row }: ApplicationRow, pods: readonly PodRow[]): ApplicationRow {
  const executors = countsOf(pods.filter(({ role }) => role === 'executor').map(({ state }) => state));
  return { ...row, ...(driver.ended !== undefined && { ended: driver.ended }), ...(executors && { executors }) };
}
