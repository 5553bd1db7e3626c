import type { SparkConnectSpec } from '../../api/spark-connect';
import { type Problem, problemText } from '../../model/problem';
import { asApplication, inWordsOfConnect } from '../connect/as-application';
import { connectLimitViolations } from '../connect/limit-violations';
import { demandOf } from '../demand/demand';
import { SubmissionError } from '../errors';
import { reasonsAgainstNative } from '../native/reasons-against';
import { checkProperties } from '../properties/check-properties';
import { sparkProperties, type SubmittedApplication } from '../properties/properties';
import { parseSparkVersion } from '../versions';
import { errorElsewhere, mistakeOfError, refusalOf, type Findings } from './findings';
import type { SubmissionDependencies } from './preparation-findings';

/** A SparkConnect, as far as it is checked. */
export interface SubmittedConnect {
  readonly metadata: SubmittedApplication['metadata'];
  readonly spec: SparkConnectSpec;
}

/** Whether a field is unknown to the pod templates, which the CRD leaves open. The API server drops other unknown fields, or kubectl rejects them. */
export function isUnknownInTemplate({ path, unknown }: Problem): boolean {
  return unknown === true && /^spec\.(server|executor)\.template\b/.test(path);
}

/** The warning about a field that is unknown to a pod template. */
export function withoutEffect({ path, reason }: Problem): string {
  return `${path} has no effect: it ${reason}`;
}

/** Returns the problems of the server as the application that it is to Spark. */
export function asApplicationFindings(connect: SubmittedConnect, world: Pick<SubmissionDependencies, 'defaults'>): Findings {
  const application = asApplication(connect);
  const warnings: string[] = [];
  const version = parseSparkVersion(application.spec.sparkVersion);
  const ofProperties = refusalOf(() => {
    const { properties, warnings: found, application: main } = sparkProperties(application, { attempt: 1, submissionID: '' });
    warnings.push(...found.map(problemText), ...(version.warning ? [`spec.sparkVersion ${version.warning}`] : []));
    checkProperties(properties, version);
    // There is no other way for a server.
    const [obstacle] = reasonsAgainstNative({ properties, application: main });
    if (obstacle) throw new SubmissionError(obstacle);
    // Sizes of the server are read when its pod is built.
    demandOf(application);
  });
  const current = world.defaults?.current(application.metadata.namespace);
  if (current?.kind === 'unusable') warnings.push(`limits are not looked at: ${current.reason}`);
  const ofLimits = current?.kind === 'ready' ? connectLimitViolations(connect, current.layers) : [];
  const mistakes = [ofProperties, ofLimits].map((errors) => errors.map(errorElsewhere(inWordsOfConnect)).map(mistakeOfError));
  return { mistakes: [...mistakes[1]!, ...mistakes[0]!.filter(({ text }) => !mistakes[1]!.some((limit) => limit.text === text))], warnings: warnings.map(inWordsOfConnect) };
}
