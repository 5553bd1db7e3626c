import type { SubmissionAnswer } from '../../../tools/real-spark/spark-submit';
import type { SubmitCase } from '../submit-case';
import type { NativeAnswer } from './native';

/** One side takes what the other refuses, and that is meant. */
export interface AcceptanceException {
  readonly name: string;
  readonly who: 'only spark-submit refuses' | 'only native submission refuses';
  readonly reason: string;
  readonly applies: (given: SubmitCase, answer: SubmissionAnswer, native: NativeAnswer) => boolean;
}

/** spark-submit refused because of this. */
const because = (text: RegExp): AcceptanceException['applies'] => (_, { refusal }) => refusal !== undefined && refusal.some(({ message }) => text.test(message));

/** Native submission refused the property, and its value is such. */
const stricter = (key: RegExp, value: RegExp) => ({ properties }: SubmitCase, _: SubmissionAnswer, { refusal }: NativeAnswer) => (
  refusal !== undefined && key.test(refusal.field) && value.test(properties[refusal.field] ?? '')
);

const MEMORY = /^spark\.driver\.(memory|memoryOverhead|minMemoryOverhead)$/;
const FACTOR = /^spark\.(driver\.memoryOverheadFactor|kubernetes\.memoryOverheadFactor)$/;
const PORT = /^spark\.(driver\.port|(driver\.)?blockManager\.port|ui\.port|connect\.grpc\.binding\.port)$/;

/** All exceptions from "what one side refuses, the other refuses too". */
export const ACCEPTANCE_EXCEPTIONS: readonly AcceptanceException[] = [
  {
    name: 'packages that cannot be found',
    who: 'only spark-submit refuses',
    reason: 'spark-submit resolves them for itself; the driver resolves them again, and only there it matters',
    applies: because(/unresolved dependency|Maven Coordinates must be in the form/),
  },
  {
    name: 'jars of an application in R',
    who: 'only spark-submit refuses',
    reason: 'spark-submit looks for R packages in jars and takes only files of its own machine (RPackageUtils)',
    applies: ({ application, properties }, answer, native) => application.type === 'r' && properties['spark.jars'] !== undefined && because(/URI scheme is not "file"/)({ application, properties }, answer, native),
  },
  {
    name: 'storage that the submitter has no classes for',
    who: 'only spark-submit refuses',
    reason: 'native submission looks into no storage',
    applies: because(/^No FileSystem for scheme/),
  },
  {
    name: "main classes of Spark's Connect server, Thrift server and SQL shell",
    who: 'only spark-submit refuses',
    reason: "the driver's container runs in client mode, which allows them",
    // As a SparkException from 4.3 on.
    applies: because(/^(Cluster deploy mode is not applicable to Spark (Connect server|Thrift server|SQL shell)\.|Launching Spark Connect server in cluster deploy mode is supported only for YARN)$/),
  },
  {
    name: 'memory that no machine has',
    who: 'only native submission refuses',
    reason: 'the Pod could never run',
    applies: stricter(MEMORY, /^(-.*|[0-9]{12,}[a-z]*|[0-9]{1,6}b|0.*)$/i),
  },
  {
    name: 'overhead factors beyond reason',
    who: 'only native submission refuses',
    reason: 'a thousand times the heap is a mistake; hexadecimal numbers and Infinity are odd ways to make it',
    applies: stricter(FACTOR, /^(Infinity|1e400|0x.*|[0-9.]+e[0-9]{2,}|[0-9]{4,}.*)$/),
  },
  {
    name: 'ports that no Service can have',
    who: 'only native submission refuses',
    reason: 'the Service could not be created',
    applies: stricter(PORT, /^(0|-.*|6553[6-9]|655[4-9][0-9]|65[6-9][0-9]{2}|6[6-9][0-9]{3}|[7-9][0-9]{4}|[0-9]{6,})$/),
  },
  {
    name: 'amounts that Kubernetes does not read',
    who: 'only native submission refuses',
    reason: 'the Pod could not be created',
    applies: stricter(/^spark\.kubernetes\.driver\.((request|limit)\.cores|volumes\..*\.sizeLimit)$/, /^(|x|-1|1\.5\.5|1 |1mi|1Gib|1e|5 apples)$/),
  },
  {
    name: 'empty names',
    who: 'only native submission refuses',
    reason: 'the Pod could not be created',
    applies: ({ properties }, _, { refusal }) => refusal !== undefined
      && (refusal.field === 'spec.image' ? properties['spark.kubernetes.driver.container.image'] : properties[refusal.field]) === '',
  },
  {
    name: 'a driver without the step that names it',
    who: 'only native submission refuses',
    reason: 'the Pod could not be created',
    applies: stricter(/^spark\.kubernetes\.driver\.pod\.excludedFeatureSteps$/, /BasicDriverFeatureStep/),
  },
  {
    name: 'digits of other scripts',
    who: 'only native submission refuses',
    reason: 'they are mistakes',
    applies: stricter(/^spark\./, /[\u0660-\u0669]/),
  },
];
