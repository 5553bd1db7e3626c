import { truncate } from './truncate';
import type { WholeApplication } from '../../model/spark-application';
import type { RoleFacts, SpecFacts } from '../wire';

type Spec = WholeApplication['spec'];

/** Maximum length of a text, in characters. */
const MAX_TEXT = 1_024;

/** Spark's defaults. */
const DEFAULTS = { cores: 1, memory: '1g', instances: 1 } as const;

/**
 * Returns what an application's specification requests. Defaults and enforced values of ConfigMaps
 * are not part of it.
 */
export function factsOf({ spec }: WholeApplication): SpecFacts {
  const { mainApplicationFile, mainClass, image, driver, executor, dynamicAllocation: dynamic } = spec;
  const ownImage = image ?? driver?.image ?? executor?.image ?? spec.sparkConf?.['spark.kubernetes.container.image'];
  return {
    ...text('image', ownImage),
    ...text('mainFile', mainApplicationFile),
    ...text('mainClass', mainClass),
    driver: roleOf(spec, 'driver'),
    executor: {
      ...roleOf(spec, 'executor'),
      instances: dynamic?.enabled
        ? `dynamic, ${dynamic.minExecutors ?? 0} to ${dynamic.maxExecutors ?? 'any number'}`
        : String(executor?.instances ?? spec.sparkConf?.['spark.executor.instances'] ?? DEFAULTS.instances),
    },
  };
}

function roleOf({ sparkConf = {}, ...spec }: Spec, role: 'driver' | 'executor'): RoleFacts {
  const { cores, coreRequest, coreLimit, memory, memoryOverhead } = spec[role] ?? {};
  const requests = [coreRequest && `request ${coreRequest}`, coreLimit && `limit ${coreLimit}`].filter(Boolean).join(', ');
  const overhead = memoryOverhead ?? sparkConf[`spark.${role}.memoryOverhead`];
  return {
    cores: short(String(cores ?? sparkConf[`spark.${role}.cores`] ?? DEFAULTS.cores)),
    ...text('cpu', requests),
    memory: short(`${memory ?? sparkConf[`spark.${role}.memory`] ?? DEFAULTS.memory}${overhead ? ` + ${overhead} overhead` : ''}`),
  };
}

function text<K extends string>(name: K, value: string | undefined): Partial<Record<K, string>> {
  return value ? { [name]: short(value) } as Record<K, string> : {};
}

function short(value: string): string {
  return truncate(value, MAX_TEXT);
}
