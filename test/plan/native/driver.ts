import type { ConfigMap, NetworkPolicy, PersistentVolumeClaim, Service } from '../../../src/model/kubernetes-objects';
import { SubmissionError } from '../../../src/plan/errors';
import { buildSubmission, type BuiltSubmission } from '../../../src/plan/native/build';
import type { DriverConfInput } from '../../../src/plan/native/driver-conf';
import { SparkProperties } from '../../../src/plan/properties/spark-conf';
import { parseSparkVersion } from '../../../src/plan/versions';
import { propertiesOf } from '../captured';

/** Spark properties. */
export interface Conf {
  readonly [key: string]: string;
}

/** Further input of a submission. */
export interface Changes extends Partial<Omit<DriverConfInput, 'properties' | 'version' | 'application'>> {
  /** Default: 4.1.1. */
  readonly version?: string;
  readonly application?: Partial<DriverConfInput['application']>;
  /** Omits `spark.app.name`. */
  readonly unnamed?: boolean;
}

/** Prefix of the names of the built objects. */
export const PREFIX = 'pi-1';

/** Application ID of the built objects. */
export const APPLICATION_ID = 'spark-1';

/** Builds a small submission with some properties. */
export function buildOf(conf: Conf = {}, { version, application, unnamed, ...changes }: Changes = {}): BuiltSubmission {
  return buildSubmission({
    properties: SparkProperties.of({
      ...(unnamed ? {} : { 'spark.app.name': 'pi' }), 'spark.kubernetes.container.image': 'apache/spark:4.1.1', ...conf,
    }),
    application: { type: 'java', mainClass: 'org.example.Main', resource: 'local:///app.jar', arguments: [], ...application },
    version: parseSparkVersion(version ?? '4.1.1'),
    namespace: 'jobs',
    identity: {
      applicationId: APPLICATION_ID, resourcePrefix: PREFIX, configMapName: 'spark-drv-1-conf-map',
      localDirectory: '/var/data/spark-1',
    },
    sparkUser: 'spark',
    submitTime: 7,
    ...changes,
  });
}

/** Builds a small submission, and returns its parts. */
export function build(conf: Conf = {}, changes: Changes = {}) {
  const { driver, resources } = buildOf(conf, changes);
  const ofKind = <T>(kind: string) => resources.filter(resource => resource.kind === kind) as T[];
  const configMaps = ofKind<ConfigMap>('ConfigMap');
  return {
    pod: driver,
    container: driver.spec.containers.at(-1)!,
    kinds: resources.map(({ kind }) => kind),
    service: ofKind<Service>('Service')[0]!,
    policy: ofKind<NetworkPolicy>('NetworkPolicy')[0],
    claims: ofKind<PersistentVolumeClaim>('PersistentVolumeClaim'),
    templateMap: configMaps.length > 1 ? configMaps[0] : undefined,
    properties: propertiesOf(configMaps.at(-1)!),
  };
}

/** Returns the error of a rejected submission. */
export function refusal(conf: Conf, changes: Changes = {}): SubmissionError {
  try {
    build(conf, changes);
  } catch (error) {
    if (SubmissionError.is(error)) {
      return error;
    }
    throw error;
  }
  throw new Error('was not refused');
}
