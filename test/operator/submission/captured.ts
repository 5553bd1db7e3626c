import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigMap, Pod, Service } from '../../../src/operator/kubernetes-objects';
import type { DriverConfInput } from '../../../src/operator/submission/native/driver-conf';
import { parseJavaProperties } from './java-properties';

/** The requests of one run of spark-submit, see golden/README.md. */
export interface Captured {
  readonly pod: Pod;
  readonly service: Service;
  readonly configMap: ConfigMap;
  /** Kinds of all objects, in the order in which they were sent. */
  readonly kinds: readonly string[];
}

/** Reads what spark-submit of a version sent in a case. */
export function captured(version: string, scenario: string): Captured {
  const objects = readFileSync(join(__dirname, 'golden', version, `${scenario}.jsonl`), 'utf8')
    .trim().split('\n').map(line => JSON.parse(line).body);
  const ofKind = (kind: string) => objects.find(object => object.kind === kind);
  return { pod: ofKind('Pod'), service: ofKind('Service'), configMap: ofKind('ConfigMap'), kinds: objects.map(object => object.kind) };
}

/** The Spark properties in a ConfigMap. */
export function propertiesOf(configMap: ConfigMap): { [key: string]: string } {
  return Object.fromEntries(parseJavaProperties(configMap.data['spark.properties']!));
}

/** What spark-submit made up in this run: ids, names, user, time, and the address of the recording server. */
export function madeUp({ pod, configMap }: Captured): Pick<DriverConfInput, 'identity' | 'sparkUser' | 'submitTime'> & { master: string } {
  const env = (name: string) => pod.spec.containers[0]!.env!.find(variable => variable.name === name)!.value!;
  const properties = propertiesOf(configMap);
  return {
    identity: {
      applicationId: env('SPARK_APPLICATION_ID'),
      resourcePrefix: pod.metadata.name.replace(/-driver$/, ''),
      configMapName: configMap.metadata.name,
      localDirectory: env('SPARK_LOCAL_DIRS'),
    },
    sparkUser: env('SPARK_USER'),
    submitTime: Number(properties['spark.app.submitTime']),
    master: properties['spark.master']!,
  };
}
