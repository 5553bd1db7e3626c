import { parse } from 'yaml';
import { SubmissionError } from '../../../src/plan/errors';
import { reasonsAgainstNative } from '../../../src/plan/native/reasons-against';
import { submissionIdentity } from '../../../src/plan/identity';
import { buildSubmission } from '../../../src/plan/native/build';
import { SparkProperties } from '../../../src/plan/properties/spark-conf';
import { parseSparkVersion } from '../../../src/plan/versions';
import { SUBMITTING_USER } from '../../../tools/real-spark/line-jvm';
import type { RealSparkVersion } from '../../../tools/real-spark/versions';
import { nativeProperties } from '../submit-case';
import type { SubmitCase } from '../submit-case';
import { isServiceNameLong } from './identifiers';
import type { Identifiers } from './rules';
import { submittedNatively } from './submitted';
import type { Submitted } from './submitted';

/** Result of native submission for a case. */
export interface NativeAnswer {
  /** Why it was refused. */
  readonly refusal?: SubmissionError;
  /** Why the operator would not submit it natively, but by spark-submit. */
  readonly leftToSparkSubmit?: ReturnType<typeof reasonsAgainstNative>;
  readonly submitted?: Submitted;
  readonly identifiers: Identifiers;
}

const SUBMIT_TIME = 1_766_000_000_000;
const KEY = { uid: '8f5d1c3a-6c1f-4b53-9a39-0f1d2b7d9a11', attempt: 1, submissionID: '2c9b7c0e-9d0b-4f0e-8a57-3c1be2a4f6d2', generation: 1 };

/** The name of the application as spark-submit takes it: what it is given, else the class, else the file (SparkSubmitArguments.loadEnvironmentArguments). */
export function applicationName({ properties, application }: SubmitCase): string {
  return properties['spark.app.name'] ?? application.mainClass ?? application.resource.split('/').at(-1)!;
}

/** The namespace of a case. */
export function namespaceOf({ properties }: SubmitCase): string {
  return properties['spark.kubernetes.namespace'] ?? 'default';
}

/** Submits natively. An error that is no refusal is thrown. */
export function submitNatively(given: SubmitCase, version: RealSparkVersion): NativeAnswer {
  const name = applicationName(given);
  const identity = submissionIdentity(name, KEY);
  const identifiers: Identifiers = {
    applicationId: identity.applicationId,
    resourcePrefix: identity.resourcePrefix,
    serviceName: isServiceNameLong(name) ? identity.serviceName : undefined,
    configMapName: identity.configMapName,
    localDirectory: identity.localDirectory,
    submitTime: String(SUBMIT_TIME),
  };
  const properties = SparkProperties.of(nativeProperties(given));
  const reasons = reasonsAgainstNative({ properties, application: given.application });
  if (reasons.length > 0) return { leftToSparkSubmit: reasons, identifiers };
  try {
    const built = buildSubmission({
      properties,
      application: given.application,
      version: parseSparkVersion(version),
      namespace: namespaceOf(given),
      identity,
      sparkUser: SUBMITTING_USER,
      submitTime: SUBMIT_TIME,
      ...(given.driverTemplate === undefined ? {} : { driverTemplate: parse(given.driverTemplate) }),
      ...(given.executorTemplate === undefined ? {} : { executorTemplate: given.executorTemplate }),
    });
    return { submitted: submittedNatively(built), identifiers };
  } catch (error) {
    if (!SubmissionError.is(error)) throw error;
    return { refusal: error, identifiers };
  }
}
