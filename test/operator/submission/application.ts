import { SparkApplicationType } from '../../../src/api/spark-application';
import type { SparkApplicationSpec } from '../../../src/api/spark-application';
import type { DriverSpec, ExecutorSpec } from '../../../src/api/spark-pod';
import type { SubmissionContext } from '../../../src/operator/submission/plan';
import type { SubmittedApplication } from '../../../src/operator/submission/properties';

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
};
