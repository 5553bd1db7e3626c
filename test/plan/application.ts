import { SparkApplicationType } from '../../src/api/spark-application';
import type { SparkApplicationSpec } from '../../src/api/spark-application';
import type { DriverSpec, ExecutorSpec } from '../../src/api/spark-pod';
import type { ConfigMap, Service } from '../../src/model/kubernetes-objects';
import { chooseSubmission, requestedMode } from '../../src/plan/choose';
import { planNative, type SubmissionPlan } from '../../src/plan/plan';
import { prepareSubmission, type SubmissionContext } from '../../src/plan/prepare';
import type { SubmittedApplication } from '../../src/plan/properties/properties';
import { reasonsAgainstNative } from '../../src/plan/native/reasons-against';

/** Changes to the application that the tests start from. */
export interface Changes {
  readonly name?: string;
  readonly uid?: string;
  readonly labels?: { [name: string]: string };
  readonly spec?: Partial<SparkApplicationSpec>;
  readonly driver?: Partial<DriverSpec>;
  readonly executor?: Partial<ExecutorSpec>;
}

/** A small application that can be submitted, with changes. */
export function application(changes: Changes = {}): SubmittedApplication {
  return {
    metadata: { name: changes.name ?? 'pi', namespace: 'jobs', uid: changes.uid ?? 'uid-1', labels: changes.labels },
    spec: {
      type: SparkApplicationType.SCALA,
      sparkVersion: '4.1.1',
      image: 'apache/spark:4.1.1',
      mainClass: 'org.apache.spark.examples.SparkPi',
      mainApplicationFile: 'local:///opt/spark/examples/jars/spark-examples.jar',
      ...changes.spec,
      driver: { ...changes.driver },
      executor: { ...changes.executor },
    },
  };
}

/** A first submission. */
export const CONTEXT: SubmissionContext = {
  attempt: 1,
  submissionID: '0c5a9c4e-6d0c-4f0e-9d54-0a4f1f6f4f11',
  submitTime: new Date('2026-11-21T03:00:00Z'),
  sparkUser: 'spark',
};

/** Returns the objects that native submission creates, by kind; throws a rejection. */
export function planOf(given: SubmittedApplication, context: SubmissionContext = CONTEXT) {
  const prepared = prepareSubmission(given, context);
  const choice = chooseSubmission({ requested: requestedMode(undefined, { mode: 'native' }), againstNative: reasonsAgainstNative(prepared), againstSparkSubmit: [] });
  if (choice.kind === 'refused') throw choice.error;
  const plan: SubmissionPlan = planNative(prepared);
  const named = <T>(kind: string, name: string) => plan.resources.find((object) => object.kind === kind && object.metadata.name === name) as T;
  return {
    ...plan,
    configMap: named<ConfigMap>('ConfigMap', prepared.identity.configMapName),
    service: named<Service>('Service', prepared.identity.serviceName),
  };
}
