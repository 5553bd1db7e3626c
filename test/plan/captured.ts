import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJavaProperties } from '../../src/text/read-java-properties';
import type { ConfigMap, Pod } from '../../src/model/kubernetes-objects';
import type { DriverConfInput } from '../../src/plan/native/driver-conf';
import type { SubmissionResource } from '../../src/plan/native/feature-step';

/** The requests of one run of spark-submit, see golden/README.md. */
export interface Captured {
  readonly pod: Pod;
  /** All other objects, in the order in which they were sent. */
  readonly resources: readonly SubmissionResource[];
}

/** Reads what spark-submit of a version sent in a case. */
export function captured(version: string, scenario: string): Captured {
  const [pod, ...resources] = golden(version, `${scenario}.jsonl`).trim().split('\n').map(line => JSON.parse(line).body);
  return { pod, resources };
}

/** A file of the folder `golden`. */
export function golden(...path: string[]): string {
  return readFileSync(join(__dirname, 'golden', ...path), 'utf8');
}

/** The Spark properties in a ConfigMap. */
export function propertiesOf(configMap: ConfigMap): { [key: string]: string } {
  return Object.fromEntries(parseJavaProperties(configMap.data['spark.properties']!));
}

/**
 * Returns the values that spark-submit generated in this run: ids, names, user, time, and the
 * address of the recording server.
 */
export function madeUp({ pod, resources }: Captured): Pick<DriverConfInput, 'identity' | 'sparkUser' | 'submitTime'> & { master: string } {
  const container = pod.spec.containers.at(-1)!;
  const last = (name: string) => container.env!.filter(variable => variable.name === name).at(-1)!.value!;
  const configMap = resources.at(-1) as ConfigMap;
  const properties = propertiesOf(configMap);
  return {
    identity: {
      applicationId: last('SPARK_APPLICATION_ID'),
      resourcePrefix: resources[0]!.metadata.name.replace(/-driver-svc$/, ''),
      configMapName: configMap.metadata.name,
      localDirectory: last('SPARK_LOCAL_DIRS'),
    },
    sparkUser: last('SPARK_USER'),
    submitTime: Number(properties['spark.app.submitTime']),
    master: properties['spark.master']!,
  };
}
