import type { KindName } from '../../target';
import { ConcurrencyPolicy } from '../../../api/scheduled-spark-application';

/** Object of one of our kinds in the cluster, with the fields that are read. */
export interface MigratedObject {
  readonly metadata: { readonly namespace?: string; readonly name: string };
  readonly spec?: any;
  readonly status?: any;
}

/** Difference from kubeflow's operator that concerns some objects. */
export interface Deviation {
  readonly kind: KindName;
  readonly concerns: (object: MigratedObject) => boolean;
  /** Rest of a sentence that begins with the object. */
  readonly message: string;
  readonly remedy?: string;
  /** Prop of `SparkOperator` with which there is no difference. @default - none */
  readonly prop?: string;
}

const specOf = ({ spec }: MigratedObject): any => spec ?? {};

/** Returns the specification of the application, or of the runs of a schedule. */
const runOf = (object: MigratedObject): any => specOf(object).template ?? specOf(object);

const concurrencyOf = (schedule: MigratedObject): unknown => specOf(schedule).concurrencyPolicy;

/** Differences of applications, and of the runs of schedules. */
const OF_APPLICATIONS: readonly Omit<Deviation, 'kind'>[] = [
  {
    concerns: (object) => (runOf(object).driverIngressOptions ?? []).some((option: any) => option?.ingressURLFormat),
    message: 'has driverIngressOptions with an ingressURLFormat: Ingresses of other ports are off by default, so that it gets only Services',
    remedy: 'set driverIngress: true in the props of SparkOperator',
    prop: 'driverIngress',
  },
  {
    concerns: (object) => Boolean(runOf(object).batchScheduler),
    message: 'has a batchScheduler: PodGroups are only created with batchScheduling, otherwise its pods just name the scheduler',
    remedy: 'set batchScheduling in the props of SparkOperator',
    prop: 'batchScheduling',
  },
];

/** Differences by kind that no check of manifests reports. docs/migrate has all of them. */
export const DEVIATIONS: readonly Deviation[] = [
  ...(['application', 'schedule'] as const).flatMap((kind) => OF_APPLICATIONS.map((each): Deviation => ({ kind, ...each }))),
  {
    kind: 'application',
    // This operator writes why it cannot submit an application; the other one leaves no message.
    concerns: ({ status }) => !status?.applicationState?.state && !status?.applicationState?.errorMessage,
    message: 'has no state, so that no operator has started it; this operator starts it as soon as its namespace is selected',
    remedy: 'delete it, or set spec.suspend: true, if it must not run',
  },
  {
    kind: 'schedule',
    concerns: (schedule) => specOf(schedule).timeZone === 'Local' && !String(specOf(schedule).schedule).includes('TZ='),
    message: "has timeZone: Local, which is the zone of the other operator's machine; here it is UTC",
    remedy: 'write the name of a zone, such as Europe/Berlin',
  },
  {
    kind: 'schedule',
    concerns: (schedule) => !concurrencyOf(schedule),
    message: 'has no concurrencyPolicy: the other operator starts only its first run; here it means Allow, and all runs start',
    remedy: 'write the concurrencyPolicy that you mean',
  },
  {
    kind: 'schedule',
    concerns: (schedule) => concurrencyOf(schedule) === ConcurrencyPolicy.REPLACE,
    message: 'has concurrencyPolicy: Replace: a new run begins when the driver of the previous one is gone, and not while it runs',
  },
];

/** Returns the runs of schedules, as applications of the same name. */
export function runTemplates(schedules: readonly MigratedObject[]): MigratedObject[] {
  return schedules.map(({ metadata, spec }) => ({ metadata, spec: spec?.template ?? {} }));
}
