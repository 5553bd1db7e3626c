import { CommandError } from '../errors';
import { titleOf } from '../output/title';
import type { Target } from '../target';
import { LABEL_APP_NAME, LABEL_CONNECT_NAME, LABEL_SCHEDULED_APP_NAME, LABEL_SUBMISSION_ID } from '../../api/labels';
import { SparkConnectState } from '../../api/spark-connect-status';
import { ApplicationState, isTerminal } from '../../api/states';
import { explainConnect } from '../../explain/connect/explain';
import { lastServer, serverCondition } from '../../explain/connect/observed';
import { explain, type ObservedApplication } from '../../explain/explain';
import type { Explanation } from '../../explain/explanation';
import type { KubeClient } from '../../kube/client';
import type { KubeObject, Ref } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import { isOwnPod } from '../../model/own-pod';
import { knownProgress, lastDriver, type DriverProgress } from '../../model/last-driver';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS, SPARK_CONNECTS } from '../../model/resources';
import { isRunOf } from '../../model/scheduled-spark-application';
import { stateOf, type WholeApplication } from '../../model/spark-application';
import { stateOf as stateOfServer, type WholeConnect } from '../../model/spark-connect';
import { SERVER_ROLE } from '../../api/connect-server';
import { knownOf } from '../view/known';
import { knownConnect } from '../view/known-connect';
import type { SparkPod } from './pods';

/** Application or Spark Connect server whose logs are read and whose ports are forwarded. */
export interface Subject {
  readonly resource: Resource<KubeObject>;
  readonly ref: Ref & { readonly namespace: string };
  /** Label selector of its pods. */
  readonly podSelector: string;
  /** Role of its main pod. */
  readonly mainRole: string;
  /** Name of that role in messages. */
  readonly mainName: 'driver' | 'server';
  /** Returns whether a pod belongs to the current or last attempt; others are from earlier ones. */
  isCurrent(pod: SparkPod, object: KubeObject): boolean;
  /**
   * Returns its state.
   *
   * @param main its main pod; undefined if there is none
   * @param now milliseconds since 1970
   */
  currentState(object: KubeObject, main: SparkPod | undefined, now: number): SubjectState;
  /**
   * Returns its state with a complete explanation: whether an operator handles it, and the nodes if
   * a pod fits on none of them. Facts that cannot be read are missing.
   */
  explained(state: SubjectState, object: KubeObject, client: KubeClient, now: number, signal: AbortSignal): Promise<SubjectState>;
  /** Returns the port of its Spark UI. */
  uiPort(object: KubeObject): number;
}

/**
 * State of an application or a server. The texts can hold texts of the cluster; they are not
 * `printable` yet.
 */
export interface SubjectState {
  /** Result; undefined until it has ended. */
  readonly outcome?: 'succeeded' | 'failed';
  /** Whether its main pod should run now: then no message about waiting is printed. */
  readonly isRunning: boolean;
  /** Number of the last attempt in the status. @default - unknown */
  readonly attempt?: number;
  /** How far the main pod of the last attempt came. @default - it has not ended, or is unknown */
  readonly progress?: DriverProgress;
  /** Returns how far the main pod of an earlier attempt came. @default - unknown */
  readonly progressOf?: (attempt: number) => DriverProgress | undefined;
  /** Whether its last attempt has or had executors. @default - unknown */
  readonly hadExecutors?: boolean;
  /** Explanation of the state, without a full stop. */
  readonly sentence: string;
  /** Remedy. @default - none */
  readonly remedy?: string;
  /**
   * Identity of the message, which changes only with the cause: the sentence also contains
   * durations.
   */
  readonly key: string;
}

/** Returns the name of a subject for messages. */
export function titleOfSubject({ resource: { kind }, ref: metadata }: Pick<Subject, 'resource' | 'ref'>): string {
  return titleOf({ kind, metadata });
}

/** Default of `spark.ui.port`. */
const UI_PORT = 4040;

/** Returns the subject that a command line names; for a schedule, its newest run. */
export async function subjectOf(client: KubeClient, { kind, ref }: Target, signal: AbortSignal): Promise<Subject> {
  if (kind === 'connect') return serverSubject(ref);
  return applicationSubject(kind === 'schedule' ? await newestRun(client, ref, signal) : ref);
}

function applicationSubject(ref: Target['ref']): Subject {
  return {
    resource: SPARK_APPLICATIONS,
    ref,
    podSelector: `${LABEL_APP_NAME}=${ref.name}`,
    mainRole: 'driver',
    mainName: 'driver',
    isCurrent: (pod, object) => pod.metadata.labels?.[LABEL_SUBMISSION_ID] === (object as WholeApplication).status?.submissionID,
    currentState(object, driver, now) {
      const application = object as WholeApplication;
      const state = stateOf(application);
      const { headline } = explain({ application, driver, now });
      const isRunning = state === ApplicationState.RUNNING;
      const hasExecutors = Object.keys(application.status?.executorState ?? {}).length > 0;
      const outcome = !isTerminal(state) ? undefined : state === ApplicationState.COMPLETED ? 'succeeded' : 'failed';
      return {
        outcome,
        isRunning: isRunning || state === ApplicationState.SUCCEEDING,
        attempt: application.status?.attemptHistory?.at(-1)?.number,
        progress: lastDriver(application),
        progressOf: (attempt) => {
          const record = application.status?.attemptHistory?.find(({ number, result }) => number === attempt && result !== undefined);
          return record && knownProgress(record);
        },
        ...((outcome || isRunning) && { hadExecutors: hasExecutors }),
        ...explanationOf({ application, driver, now }),
        key: [headline, application.status?.applicationState?.errorMessage, driver?.obstacle?.reason].join('\n'),
      };
    },
    async explained(state, object, client, now, signal) {
      const known = await knownOf(client, object as WholeApplication, now, signal).catch(() => undefined);
      return known ? { ...state, ...explanationOf(known) } : state;
    },
    uiPort: (object) => portIn((object as WholeApplication).spec.sparkConf),
  };
}

function explanationOf(observed: ObservedApplication): Pick<SubjectState, 'sentence' | 'remedy'> {
  return withoutLogCommand(explain(observed));
}

/** Omits the remedy to read the log, which is what the user does. */
function withoutLogCommand({ sentence, remedy }: Explanation): Pick<SubjectState, 'sentence' | 'remedy'> {
  return { sentence, remedy: remedy?.startsWith('sparkctl log') ? undefined : remedy };
}

function serverSubject(ref: Target['ref']): Subject {
  return {
    resource: SPARK_CONNECTS,
    ref,
    podSelector: `${LABEL_CONNECT_NAME}=${ref.name}`,
    mainRole: SERVER_ROLE,
    mainName: 'server',
    isCurrent: isOwnPod,
    currentState(object, server, now) {
      const connect = object as WholeConnect;
      const state = stateOfServer(connect);
      const { reason, message } = serverCondition(connect);
      return {
        outcome: state === SparkConnectState.FAILED ? 'failed' : undefined,
        isRunning: state === SparkConnectState.READY,
        progress: lastServer(connect),
        ...(state === SparkConnectState.PROVISIONING && { hadExecutors: false }),
        ...withoutLogCommand(explainConnect({ connect, server, now })),
        key: [state, reason, message].join('\n'),
      };
    },
    async explained(state, object, client, now, signal) {
      const known = await knownConnect(client, object as WholeConnect, now, signal).catch(() => undefined);
      return known ? { ...state, ...withoutLogCommand(explainConnect(known)) } : state;
    },
    uiPort: (object) => portIn((object as WholeConnect).spec.sparkConf),
  };
}

function portIn(conf: Readonly<Record<string, string>> | undefined): number {
  return Number(conf?.['spark.ui.port']) || UI_PORT;
}

async function newestRun(client: KubeClient, ref: Target['ref'], signal: AbortSignal): Promise<Target['ref']> {
  const schedule = await client.get(SCHEDULED_SPARK_APPLICATIONS, ref, { signal });
  const runs: WholeApplication[] = [];
  for await (const run of client.list(SPARK_APPLICATIONS, {
    namespace: ref.namespace, labelSelector: `${LABEL_SCHEDULED_APP_NAME}=${ref.name}`, signal,
  })) {
    if (isRunOf(run, schedule)) runs.push(run);
  }
  const [newest] = runs.sort((a, b) => timeOf(b) - timeOf(a));
  const name = newest?.metadata.name ?? schedule.status?.lastRunName;
  if (name === undefined) {
    const title = titleOf({ kind: SCHEDULED_SPARK_APPLICATIONS.kind, metadata: ref });
    throw new CommandError(`${title} has no run yet; \`sparkctl run ${ref.name} -n ${ref.namespace}\` starts one`);
  }
  return { namespace: ref.namespace, name };
}

function timeOf({ metadata }: KubeObject): number {
  return Date.parse(metadata.creationTimestamp ?? '') || 0;
}
