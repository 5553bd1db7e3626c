import fc from 'fast-check';
import { SparkApplicationType, type SparkApplicationSpec } from '../../../src/api/spark-application';
import type { DriverSpec, ExecutorSpec } from '../../../src/api/spark-pod';
import type { Container } from '../../../src/k8s';
import { amountsOf, plus, times, type Amounts } from '../../../src/plan/demand/amounts';
import { podAmounts } from '../../../src/plan/demand/pod-amounts';
import type { Changes } from '../application';
import { READS, seenNatively } from './reads';

const maybe = <T>(
  values: { [key in keyof T]-?: fc.Arbitrary<T[key]> },
) => fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;
const number = fc.integer({ min: 0, max: 9 });
const size = fc.constantFrom('1', '700m', '1g', '3000M', '5G');
const amounts = (quantities: readonly string[]) => fc.dictionary(
  fc.constantFrom('cpu', 'memory', 'ephemeral-storage', 'example.com/fpga'), fc.constantFrom(...quantities), { maxKeys: 3 },
);
const container = (name: string): fc.Arbitrary<Container> => fc.record({
  name: fc.constant(name), image: fc.constant(name),
  resources: maybe({ requests: amounts(['1', '64Mi']), limits: amounts(['2Gi']) }),
});

const pod = maybe<DriverSpec & ExecutorSpec>({
  cores: fc.integer({ min: 1, max: 4 }),
  coreRequest: fc.constantFrom('250m', '1', '1.5'),
  coreLimit: fc.constantFrom('4', '4500m'),
  memory: size,
  memoryOverhead: size,
  gpu: fc.constant({ name: 'nvidia.com/gpu', quantity: 2 }),
  sidecars: container('sidecar').map((each) => [each]),
  initContainers: fc.tuple(container('init'), fc.constantFrom(undefined, 'Always')).map(([each, restartPolicy]) => [
    { ...each, ...(restartPolicy && { restartPolicy }) },
  ]),
  template: container('spark').map((each) => ({ spec: { containers: [each] } })),
} as any);

/** Spark only starts with off-heap memory if it has a size. */
function withOffHeap(conf: object): fc.Arbitrary<object> {
  return fc.boolean().map((isOn) => (isOn && 'spark.memory.offHeap.size' in conf ? { ...conf, 'spark.memory.offHeap.enabled': 'true' } : conf));
}

const changes: fc.Arbitrary<Changes> = fc.record({
  spec: maybe<SparkApplicationSpec>({
    type: fc.constantFrom(SparkApplicationType.SCALA, SparkApplicationType.PYTHON),
    sparkVersion: fc.constantFrom('3.5.8', '4.1.1', '4.3.0'),
    memoryOverheadFactor: fc.constantFrom('0', '0.25', '1.5'),
    dynamicAllocation: maybe({ enabled: fc.boolean(), initialExecutors: number, minExecutors: number, maxExecutors: fc.constant(9) }),
    sparkConf: maybe({
      'spark.executor.pyspark.memory': size,
      'spark.memory.offHeap.enabled': fc.constant('false'),
      'spark.memory.offHeap.size': fc.constantFrom('1048576', '1572864', '2g'),
      'spark.executor.memoryOverheadFactor': fc.constantFrom('0.3'),
      'spark.driver.minMemoryOverhead': fc.constantFrom('600m'),
      'spark.executor.instances': fc.integer({ min: 1, max: 9 }).map(String),
    }).chain(withOffHeap),
  } as any).map((spec) => (spec.type === SparkApplicationType.PYTHON ? {
    ...spec, mainClass: undefined, mainApplicationFile: 'local:///app.py',
  } : spec)),
  driver: pod,
  executor: fc.tuple(pod, maybe({ instances: fc.integer({ min: 1, max: 9 }) })).map(([fields, more]) => ({ ...fields, ...more })),
}) as fc.Arbitrary<Changes>;

/** Spark's Utils.getDynamicAllocationInitialExecutors, and the operator's default of one. */
function initialExecutors({ spec: { dynamicAllocation, sparkConf } = {}, executor }: Changes): number {
  const written = executor?.instances
    ?? (sparkConf?.['spark.executor.instances'] === undefined ? undefined : Number(sparkConf['spark.executor.instances']));
  if (!dynamicAllocation?.enabled) return written ?? 1;
  return Math.max(written ?? 0, dynamicAllocation.initialExecutors ?? 0, dynamicAllocation.minExecutors ?? 0);
}

const sorted = (amounts_: Amounts) => Object.fromEntries([...amounts_].filter(([, amount]) => amount > 0n).sort(([a], [b]) => (a < b
  ? -1
  : 1)));

test('known failure 22: schedulers get the actual requests of driver and initial executors', () => {
  fc.assert(fc.property(changes, (given) => {
    const seenBy = (batchScheduler: string) => seenNatively(
      { ...given, spec: { ...given.spec, batchScheduler } }, { kubeSchedulers: ['gang'] },
    );
    const { driver, executor, group } = seenBy('volcano');
    const requested = sorted(
      plus(podAmounts(driver.spec, 'requests'), times(podAmounts(executor.spec, 'requests'), initialExecutors(given))),
    );

    expect(sorted(amountsOf(group!.spec.minResources))).toEqual(requested);
    expect(seenBy('gang').group!.spec.minResources).toEqual(group!.spec.minResources);
    const { taskGroups } = READS.yunikorn!(seenBy('yunikorn').driver) as {
      readonly taskGroups: readonly { readonly minMember: number; readonly minResource: object }[];
    };
    expect(sorted(plus(...taskGroups.map(({ minMember, minResource }) => times(amountsOf(minResource), minMember))))).toEqual(requested);
    expect(taskGroups.map(({ minMember }) => minMember)).toEqual([1, initialExecutors(given)].filter((count) => count > 0));
  }), { numRuns: 150 });
});
