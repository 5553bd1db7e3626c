/* Our own CEL rules and patterns. */
import { accepted, acceptedPod, refused, refusedPod, type Case } from './case';
import { DENIED_SPARK_CONF } from '../../src/api/denied-conf';

const emptyDir = (name: string) => ({ name, emptyDir: {} });
const mount = (name: string, mountPath = `/${name}`) => ({ name, mountPath });
const port = (name: string, containerPort = 7000) => ({ name, protocol: 'TCP', containerPort });
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const ingress = (servicePort: number, ingressURLFormat?: string) => ({ servicePort, servicePortName: `p${servicePort}`, ...(ingressURLFormat !== undefined && { ingressURLFormat }) });

export const RULE_CASES: readonly Case[] = [
  ...acceptedPod('sizes as Spark writes them', { memory: '512m', memoryOverhead: '1073741824' }),
  ...acceptedPod('sizes with other units and blanks', { memory: ' 4G ', memoryOverhead: '300mb' }),
  ...acceptedPod('sizes as Kubernetes writes them', { memory: '4Gi', memoryOverhead: '512MiB' }),
  ...refusedPod('memory', 'a unit that is none', { memory: '4Gx' }),
  ...refusedPod('memory', 'half a size', { memory: '1.5g' }),
  ...refusedPod('memory', 'an empty size', { memory: '' }),
  ...refusedPod('memoryOverhead', 'a size that is none', { memoryOverhead: 'lots' }),
  ...refusedPod('memory', 'a size with a line break', { memory: '1g\n' }),
  ...acceptedPod('a limit as Spark writes it', { memoryLimit: '6g' }),
  ...acceptedPod('a limit as Kubernetes writes it', { memoryLimit: '1.5Gi' }),
  ...refusedPod('memoryLimit', 'a limit that is none', { memoryLimit: '6 GB!' }),

  accepted('an overhead factor', { memoryOverheadFactor: '.25' }),
  accepted('no overhead factor, as Helm writes it', { memoryOverheadFactor: '' }),
  refused('spec.memoryOverheadFactor', 'an overhead factor that is none', { memoryOverheadFactor: '10%' }),
  refused('spec.memoryOverheadFactor', 'a negative overhead factor', { memoryOverheadFactor: '-0.1' }),

  accepted('the name of a Pod', { driver: { podName: 'etl.driver-1' } }),
  accepted('the longest name of a Pod', { driver: { podName: 'd'.repeat(253) } }),
  refused('spec.driver.podName', 'no name of a Pod', { driver: { podName: 'Driver_1' } }),
  refused('spec.driver.podName', 'a name of a Pod that is too long', { driver: { podName: 'd'.repeat(254) } }),
  refused('spec.driver.podName', 'an empty name of a Pod', { driver: { podName: '' } }),

  accepted('a node selector for all pods', { nodeSelector: { disk: 'ssd' }, driver: { nodeSelector: {} } }),
  accepted('node selectors for each', { driver: { nodeSelector: { disk: 'ssd' } }, executor: { nodeSelector: { disk: 'hdd' } } }),
  refused('spec', 'a node selector for all pods and for the driver', { nodeSelector: { disk: 'ssd' }, driver: { nodeSelector: { disk: 'ssd' } } }),
  refused('spec', 'a node selector for all pods and for executors', { nodeSelector: { disk: 'ssd' }, executor: { nodeSelector: { zone: 'a' } } }),

  ...acceptedPod('mounts of volumes', { volumeMounts: [mount('a'), mount('b'), mount('a', '/a2')] }, { volumes: [emptyDir('a'), emptyDir('b')] }),
  ...acceptedPod('a mount of a volume of the template', { volumeMounts: [mount('a')], template: { spec: { volumes: [emptyDir('a')] } } }),
  refused('spec', 'driver: a mount without a volume', { driver: { volumeMounts: [mount('a')] } }),
  refused('spec', 'executor: a mount without a volume', { executor: { volumeMounts: [mount('a')] } }),
  refused('spec', 'driver: a mount of another name', { volumes: [emptyDir('data')], driver: { volumeMounts: [mount('date')] } }),
  refused('spec', 'executor: a mount of another name', { volumes: [emptyDir('data')], executor: { volumeMounts: [mount('date')] } }),
  ...acceptedPod('as many mounts as there may be', { volumeMounts: many(256, (index) => mount('a', `/${index}`)) }, { volumes: many(256, (index) => emptyDir(index === 0 ? 'a' : `v${index}`)) }),
  ...refusedPod('volumeMounts', 'more mounts than there may be', { volumeMounts: many(257, (index) => mount('a', `/${index}`)) }, { volumes: [emptyDir('a')] }),
  refused('spec.volumes', 'more volumes than there may be', { volumes: many(257, (index) => emptyDir(`v${index}`)) }),
  refused('spec.volumes[0].name', 'a volume whose name is too long', { volumes: [emptyDir('v'.repeat(64))] }),
  ...refusedPod('volumeMounts[0].name', 'a mount whose name is too long', { volumeMounts: [mount('v'.repeat(64))], template: {} }),
  ...acceptedPod('no mounts and no volumes', { volumeMounts: [] }),

  ...acceptedPod('ports', { ports: [port('rmi'), port('jmx-2', 7001), port('2-ports'), port('x'.repeat(15))] }),
  ...acceptedPod('ports without names, as Go writes them', { ports: [{ name: '', protocol: '', containerPort: 7000 }, { name: '', protocol: 'UDP', containerPort: 7001 }] }),
  ...refusedPod('ports[0].name', 'a port in capitals', { ports: [port('JMX')] }),
  ...refusedPod('ports[0].name', 'a port without a letter', { ports: [port('7000')] }),
  ...refusedPod('ports[0].name', 'a port with two dashes', { ports: [port('a--b')] }),
  ...refusedPod('ports[0].name', 'a port that ends with a dash', { ports: [port('a-')] }),
  ...refusedPod('ports[0].name', 'a port whose name is too long', { ports: [port('x'.repeat(16))] }),
  ...refusedPod('ports', 'more ports than there may be', { ports: many(257, (index) => port('', 1000 + index)) }),

  accepted('bounds of dynamic allocation', { dynamicAllocation: { enabled: true, minExecutors: 0, initialExecutors: 0, maxExecutors: 1 } }),
  accepted('bounds that are not used', { dynamicAllocation: { enabled: false, minExecutors: 4, initialExecutors: 3, maxExecutors: 0 } }),
  accepted('bounds without a word about their use', { dynamicAllocation: { minExecutors: 4, maxExecutors: 2 } }),
  refused('spec.dynamicAllocation', 'more at least than at most', { dynamicAllocation: { enabled: true, minExecutors: 4, maxExecutors: 2 } }),
  refused('spec.dynamicAllocation', 'fewer at the start than at least', { dynamicAllocation: { enabled: true, minExecutors: 2, initialExecutors: 1 } }),
  refused('spec.dynamicAllocation', 'more at the start than at most', { dynamicAllocation: { enabled: true, initialExecutors: 3, maxExecutors: 2 } }),
  refused('spec.dynamicAllocation', 'none at most', { dynamicAllocation: { enabled: true, maxExecutors: 0 } }),

  accepted('ports of the driver', { driverIngressOptions: [ingress(8080, '{{$appName}}.example.org'), ingress(8081, '{{$appName}}.example.com'), ingress(8082), ingress(8083)] }),
  refused('spec.driverIngressOptions', 'a port of the driver twice', { driverIngressOptions: [ingress(8080), ingress(8080)] }),
  refused('spec.driverIngressOptions', 'a URL twice', { driverIngressOptions: [ingress(8080, 'example.org'), ingress(8081, 'example.org')] }),
  refused('spec.driverIngressOptions', 'more ports of the driver than there may be', { driverIngressOptions: many(65, (index) => ingress(8000 + index)) }),
  accepted('the longest path of an archive', { fastStart: `/${'f'.repeat(255)}` }),
  refused('spec.fastStart', 'a path of an archive that is too long', { fastStart: `/${'f'.repeat(256)}` }),
  refused('spec.driverIngressOptions[0].ingressURLFormat', 'a URL that is too long', { driverIngressOptions: [ingress(8080, 'u'.repeat(2049))] }),

  accepted('properties of all kinds', { sparkConf: { 'spark.kubernetes.container.image': 'example.org/spark:2', 'spark.executor.cores': '2', 'anything': '' } }),
  ...DENIED_SPARK_CONF.map(({ key }) => refused('spec.sparkConf', `the property ${key}`, { sparkConf: { [key]: 'x', 'spark.executor.cores': '2' } })),

  ...acceptedPod('CPU as text', { coreRequest: '200m', coreLimit: '1.5' }),
  ...acceptedPod('CPU as numbers', { coreRequest: 0.5, coreLimit: 2 }),
  ...acceptedPod('CPU in other notations', { coreRequest: '5e-1', coreLimit: '+1.' }),
  ...refusedPod('coreRequest', 'CPU with a word', { coreRequest: '2 cores' }),
  ...refusedPod('coreLimit', 'an empty CPU', { coreLimit: '' }),
  ...refusedPod('coreRequest', 'CPU as a truth value', { coreRequest: true }),
  ...refusedPod('coreRequest', 'CPU as a list', { coreRequest: ['1'] }),
  ...refusedPod('coreRequest', 'CPU as an empty list', { coreRequest: [] }),
  ...refusedPod('coreRequest', 'CPU as an object', { coreRequest: { cpu: 1 } }),
  ...refusedPod('coreRequest', 'CPU as an empty object', { coreRequest: {} }),
  ...acceptedPod('CPU that is null, which is dropped', { coreLimit: null }),
  accepted('resources of a batch scheduler', { batchSchedulerOptions: { resources: { 'cpu': 4, 'memory': '16Gi', 'nvidia.com/gpu': '1' } } }),
  refused('spec.batchSchedulerOptions.resources[memory]', 'a resource that is no quantity', { batchSchedulerOptions: { resources: { memory: '16 GB' } } }),
];
