import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Container, PodSpec, PodTemplateSpec } from '../../../src/k8s';
import type { SparkApplicationSpec } from '../../../src/api/spark-application';
import type { SparkPodSpec } from '../../../src/api/spark-pod';
import type { Role } from '../../../src/plan/properties/role';
import { containerOf, createdPod, refusalOf, ROLES, type CreatedPod, type Described } from './helpers';
import { SPARK_MEMORY } from './spark';

/*
 * The table of docs/reference/precedence.md, row by row: each pair of sources of a row, with different
 * values, for each role.
 */

interface Row {
  readonly target: string;
  readonly roles: readonly Role[];
  readonly sources: readonly string[];
  readonly conflict: string;
}

const TEXT = readFileSync(join(__dirname, '../../../docs/reference/precedence.md'), 'utf8');
const ROWS = rowsOf(TEXT.slice(TEXT.indexOf('## Put onto the pod by the operator')));

function rowsOf(section: string): Row[] {
  return section.split('\n').filter(line => line.startsWith('| ')).slice(1).map((line) => {
    const [target, of, sources, conflict] = line.slice(1, -1).split(' | ').map(cell => cell.trim());
    return {
      target: target!,
      roles: of === 'both' ? ROLES : [of as Role],
      sources: sources!.split(' < ').map(source => source.replaceAll('`', '')),
      conflict: conflict!,
    };
  });
}

/** Content of a source that sets a value. */
interface Said {
  readonly pod?: Partial<SparkPodSpec>;
  readonly template?: Partial<PodSpec>;
  /** Spark's container in the template. */
  readonly container?: Partial<Container>;
  readonly application?: Partial<SparkApplicationSpec>;
}

interface Subject {
  /** Sets a value in each source; `undefined` if the source always has one. */
  readonly say: { readonly [source: string]: ((value: string, role: Role) => Said) | undefined };
  /** Returns the value in the resulting pod. */
  readonly read: (pod: CreatedPod) => unknown;
  /** Returns the value to expect in the pod for a value of a source. Default: the same value. */
  readonly means?: (value: string, source: string, role: Role) => unknown;
  /** Two different values. */
  readonly values: readonly [string, string];
  /** Returns the path of the value in a warning. Default: the source. */
  readonly path?: (source: string, role: Role) => string;
}

const lastVariable = (name: string) => ({ container }: CreatedPod) => {
  const found = container.env?.findLast(other => other.name === name);
  return found?.value ?? found?.valueFrom?.secretKeyRef?.name;
};
const environmentOf = (role: Role) => (role === 'driver' ? 'spark.kubernetes.driverEnv' : 'spark.executorEnv');
const conf = (key: string, value: string): Said => ({ application: { sparkConf: { [key]: value } } });

function variable(name: string): Subject {
  return {
    values: ['one', 'two'],
    say: {
      template: value => ({ container: { env: [{ name, value }] } }),
      sparkConf: (value, role) => conf(`${environmentOf(role)}.${name}`, value),
      envVars: value => ({ pod: { envVars: { [name]: value } } }),
      envSecretKeyRefs: value => ({ pod: { envSecretKeyRefs: { [name]: { name: value, key: 'k' } } } }),
      env: value => ({ pod: { env: [{ name, value }] } }),
      hadoopConfigMap: () => ({ application: { hadoopConfigMap: 'hadoop' } }),
      sparkConfigMap: () => ({ application: { sparkConfigMap: 'spark' } }),
      Spark: undefined,
    },
    means: (value, source) => ({ hadoopConfigMap: '/etc/hadoop/conf', sparkConfigMap: '/etc/spark/conf', Spark: 'spark' })[source] ?? value,
    read: lastVariable(name),
    path: (source, role) => ({
      template: `spec.${role}.template.spec.containers[0].env[${name}]`,
      sparkConf: `spec.sparkConf[${environmentOf(role)}.${name}]`,
      env: `spec.${role}.env[${name}]`,
      envVars: `spec.${role}.envVars[${name}]`,
      envSecretKeyRefs: `spec.${role}.envSecretKeyRefs[${name}]`,
    })[source] ?? `spec.${source}`,
  };
}

/** A field of the pod that a field of the role replaces. */
function podField(
  key: keyof PodSpec, field: keyof SparkPodSpec, valueOf: (value: string) => unknown,
  values: readonly [string, string] = ['one', 'two'],
): Subject {
  return {
    values,
    say: { template: value => ({ template: { [key]: valueOf(value) } }), [field]: value => ({ pod: { [field]: valueOf(value) } }) },
    means: valueOf,
    read: ({ spec }) => spec[key],
    path: (source, role) => `spec.${role}.${source === 'template' ? `template.spec.${key}` : source}`,
  };
}

function containerField(key: keyof Container, field: keyof SparkPodSpec, valueOf: (value: string) => unknown): Subject {
  return {
    ...podField('affinity', field, valueOf),
    say: { template: value => ({ container: { [key]: valueOf(value) } }), [field]: value => ({ pod: { [field]: valueOf(value) } }) },
    read: ({ container }) => container[key],
    path: (source, role) => `spec.${role}.${source === 'template' ? `template.spec.containers[0].${key}` : source}`,
  };
}

const aliasOf = (value: string) => ({ ip: '10.0.0.1', hostnames: [value] });
const tolerationOf = (key: string) => ({ key, operator: 'Exists' });
const lifecycleOf = (value: string) => ({ preStop: { exec: { command: [value] } } });
const affinityOf = (value: string) => ({ podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: value }] } });
const sourceOf = (value: string) => ({ configMapRef: { name: value } });

/** A list in which no item replaces another. */
function list(key: string, say: Subject['say'], read: Subject['read'], valueOf: (value: string) => unknown): Subject {
  return { values: ['one', 'two'], say, read, means: valueOf, path: () => key };
}

const SUBJECTS: { readonly [target: string]: Subject } = {
  'variables': variable('HADOOP_CONF_DIR'),
  '`SPARK_USER` and Spark\'s other variables': variable('SPARK_USER'),
  '`SPARK_CONF_DIR`': variable('SPARK_CONF_DIR'),
  '`envFrom`': list('envFrom', {
    template: value => ({ container: { envFrom: [sourceOf(value)] } }),
    envFrom: value => ({ pod: { envFrom: [sourceOf(value)] } }),
  }, ({ container }) => container.envFrom, sourceOf),
  'volumes of one name': {
    values: ['/one', '/two'],
    say: {
      template: path => ({ template: { volumes: [{ name: 'data', hostPath: { path } }] } }),
      volumes: path => ({
        application: {
          volumes: [{ name: 'data', hostPath: { path } }],
        }, pod: { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
      }),
    },
    read: () => undefined,
    path: () => 'spec.volumes[0]',
  },
  'mounts of one path': {
    values: ['one', 'two'],
    say: {
      template: name => ({
        template: { volumes: [{ name, emptyDir: {} }] }, container: { volumeMounts: [{ name, mountPath: '/etc/spark/conf' }] },
      }),
      sparkConfigMap: name => ({ application: { sparkConfigMap: name } }),
      configMaps: name => ({ pod: { configMaps: [{ name, path: '/etc/spark/conf' }] } }),
      volumeMounts: name => ({
        application: { volumes: [{ name, emptyDir: {} }] }, pod: { volumeMounts: [{ name, mountPath: '/etc/spark/conf' }] },
      }),
    },
    read: () => undefined,
    path: (source, role) => (source === 'sparkConfigMap' ? 'spec.sparkConfigMap' : `spec.${role}.${source}[0]`),
  },
  'ports of one name': {
    values: ['8001', '8002'],
    say: {
      template: port => ({ container: { ports: [{ name: 'web', containerPort: Number(port) }] } }),
      ports: port => ({ pod: { ports: [{ name: 'web', containerPort: Number(port), protocol: 'TCP' as never }] } }),
    },
    read: () => undefined,
    path: (source, role) => `spec.${role}.${source}[0]`,
  },
  '`hostNetwork`': podField('hostNetwork', 'hostNetwork', value => value === 'true', ['true', 'false']),
  '`dnsPolicy`': {
    values: ['None', 'ClusterFirstWithHostNet'],
    say: { template: dnsPolicy => ({ template: { dnsPolicy } }), hostNetwork: () => ({ pod: { hostNetwork: true } }) },
    read: ({ spec }) => spec.dnsPolicy,
    path: (source, role) => `spec.${role}.${source === 'template' ? 'template.spec.dnsPolicy' : source}`,
  },
  '`hostAliases`': list('hostAliases', {
    template: value => ({ template: { hostAliases: [aliasOf(value)] } }),
    hostAliases: value => ({ pod: { hostAliases: [aliasOf(value)] } }),
  }, ({ spec }) => spec.hostAliases?.flatMap(({ hostnames }) => hostnames), value => value),
  'init containers of one name': {
    values: ['one', 'two'],
    say: {
      template: image => ({ template: { initContainers: [{ name: 'side', image }] } }),
      initContainers: image => ({ pod: { initContainers: [{ name: 'side', image }] } }),
    },
    read: () => undefined,
    path: (source, role) => `spec.${role}.${source}[0].name`,
  },
  'containers of one name': {
    values: ['one', 'two'],
    say: {
      template: image => ({ template: { containers: [{ name: 'side', image }] } }),
      sidecars: image => ({ pod: { sidecars: [{ name: 'side', image }] } }),
    },
    read: () => undefined,
    path: (source, role) => `spec.${role}.${source}[0].name`,
  },
  '`dnsConfig`': podField('dnsConfig', 'dnsConfig', value => ({ nameservers: [value] })),
  '`priorityClassName`': podField('priorityClassName', 'priorityClassName', value => value),
  '`priority`': {
    values: ['7', 'high'],
    say: {
      template: value => ({
        template: { priority: Number(value) },
      }), priorityClassName: value => ({ pod: { priorityClassName: value } }),
    },
    means: () => undefined,
    read: ({ spec }) => spec.priority,
    path: (source, role) => `spec.${role}.${source === 'template' ? 'template.spec.priority' : source}`,
  },
  '`schedulerName`': {
    values: ['one', 'two'],
    say: {
      template: value => ({ template: { schedulerName: value } }),
      sparkConf: (value, role) => conf(`spark.kubernetes.${role}.scheduler.name`, value),
      schedulerName: value => ({ pod: { schedulerName: value } }),
      batchScheduler: value => ({ application: { batchScheduler: value } }),
    },
    read: ({ spec }) => spec.schedulerName,
    path: (source, role) => ({
      template: `spec.${role}.template.spec.schedulerName`, sparkConf: `spec.sparkConf[spark.kubernetes.${role}.scheduler.name]`,
      batchScheduler: 'spec.batchScheduler',
    })[source] ?? `spec.${role}.schedulerName`,
  },
  '`nodeSelector`': {
    values: ['one', 'two'],
    say: {
      'template': zone => ({ template: { nodeSelector: { zone } } }),
      'sparkConf': zone => conf('spark.kubernetes.node.selector.zone', zone),
      // The application's, unlike `role.nodeSelector`.
      'spec.nodeSelector': zone => ({ application: { nodeSelector: { zone } } }),
      'nodeSelector': zone => ({ pod: { nodeSelector: { zone } } }),
    },
    read: ({ spec }) => spec.nodeSelector?.zone,
    path: (source, role) => ({
      'template': `spec.${role}.template.spec.nodeSelector[zone]`,
      'sparkConf': 'spec.sparkConf[spark.kubernetes.node.selector.zone]', 'spec.nodeSelector': 'spec.nodeSelector[zone]',
    })[source] ?? `spec.${role}.nodeSelector[zone]`,
  },
  '`affinity`': podField('affinity', 'affinity', affinityOf),
  '`tolerations`': list('tolerations', {
    template: value => ({ template: { tolerations: [tolerationOf(value)] } }),
    tolerations: value => ({ pod: { tolerations: [tolerationOf(value)] } }),
  }, ({ spec }) => spec.tolerations, tolerationOf),
  'memory limit': {
    values: ['5Gi', '6Gi'],
    say: {
      template: memory => ({
        container: { resources: { limits: { memory } } },
      }), memoryLimit: memoryLimit => ({ pod: { memoryLimit } }), Spark: undefined,
    },
    means: (value, source) => (source === 'Spark' ? SPARK_MEMORY : value),
    read: ({ container }) => container.resources?.limits?.memory,
    path: (source, role) => `spec.${role}.${source === 'template' ? 'template.spec.containers[0].resources.limits.memory' : source}`,
  },
  'limit of `gpu.name`': {
    values: ['1', '2'],
    say: {
      template: amount => ({ container: { resources: { limits: { 'nvidia.com/gpu': amount } } } }),
      sparkConf: (amount, role) => ({
        application: { sparkConf: { [`spark.${role}.resource.gpu.amount`]: amount, [`spark.${role}.resource.gpu.vendor`]: 'nvidia.com' } },
      }),
      gpu: amount => ({ pod: { gpu: { name: 'nvidia.com/gpu', quantity: Number(amount) } } }),
    },
    read: ({ container }) => container.resources?.limits?.['nvidia.com/gpu'],
    path: (source, role) => ({
      template: `spec.${role}.template.spec.containers[0].resources.limits[nvidia.com/gpu]`,
      sparkConf: `spec.sparkConf[spark.${role}.resource.gpu.amount]`,
    })[source] ?? `spec.${role}.gpu`,
  },
  '`securityContext` of Spark\'s container': {
    ...containerField('securityContext', 'securityContext', value => ({ runAsUser: Number(value) })),
    values: ['7', '8'],
    read: ({ container }) => ({ runAsUser: container.securityContext?.runAsUser }),
  },
  '`allowPrivilegeEscalation`': {
    values: ['true', 'false'],
    say: {
      template: value => ({ container: { securityContext: { allowPrivilegeEscalation: value === 'true' } } }),
      sparkConf: (value, role) => conf(`spark.kubernetes.${role}.securityContext.allowPrivilegeEscalation`, value),
      securityContext: value => ({ pod: { securityContext: { allowPrivilegeEscalation: value === 'true' } } }),
    },
    means: value => value === 'true',
    read: ({ container }) => container.securityContext?.allowPrivilegeEscalation,
    path: (source, role) => ({
      template: `spec.${role}.template.spec.containers[0].securityContext`,
      sparkConf: `spec.sparkConf[spark.kubernetes.${role}.securityContext.allowPrivilegeEscalation]`,
    })[source] ?? `spec.${role}.securityContext`,
  },
  '`securityContext` of the pod': {
    ...podField('securityContext', 'podSecurityContext', value => ({ runAsUser: Number(value) })), values: ['7', '8'],
  },
  '`terminationGracePeriodSeconds`': {
    ...podField('terminationGracePeriodSeconds', 'terminationGracePeriodSeconds', Number),
    values: ['70', '80'],
    say: {
      template: value => ({ template: { terminationGracePeriodSeconds: Number(value) } }),
      sparkConf: value => conf('spark.kubernetes.executor.terminationGracePeriodSeconds', `${value}s`),
      terminationGracePeriodSeconds: value => ({ pod: { terminationGracePeriodSeconds: Number(value) } }),
    },
    path: (source, role) => ({
      template: `spec.${role}.template.spec.terminationGracePeriodSeconds`,
      sparkConf: 'spec.sparkConf[spark.kubernetes.executor.terminationGracePeriodSeconds]',
    })[source] ?? `spec.${role}.${source}`,
  },
  '`lifecycle`': {
    ...containerField('lifecycle', 'lifecycle', lifecycleOf),
    say: {
      template: value => ({ container: { lifecycle: lifecycleOf(value) } }),
      lifecycle: value => ({ pod: { lifecycle: lifecycleOf(value) } }),
      sparkConf: () => conf('spark.decommission.enabled', 'true'),
    },
    means: (value, source) => lifecycleOf(source === 'sparkConf' ? '/opt/decom.sh' : value),
    path: (source, role) => ({
      template: `spec.${role}.template.spec.containers[0].lifecycle`, sparkConf: 'spec.sparkConf[spark.decommission.enabled]',
    })[source] ?? `spec.${role}.lifecycle`,
  },
  '`shareProcessNamespace`': podField('shareProcessNamespace', 'shareProcessNamespace', value => value === 'true', ['true', 'false']),
  'service account': {
    values: ['one', 'two'],
    say: {
      template: value => ({ template: { serviceAccountName: value } }),
      serviceAccount: value => ({ pod: { serviceAccount: value } }),
    },
    read: ({ spec }) => spec.serviceAccountName,
    path: (source, role) => `spec.${role}.${source === 'template' ? 'template.spec.serviceAccountName' : source}`,
  },
};

/** Returns the name of a source within its subject. */
function sourceName(source: string, { target, roles }: Row): string {
  if (target === '`nodeSelector`' && source === 'nodeSelector') {
    return 'spec.nodeSelector';
  }
  const prefix = ['role', ...roles].find(role => source.startsWith(`${role}.`));
  return prefix === undefined ? source : source.slice(prefix.length + 1);
}

/** Pairs of sources of each row, the weaker first. */
const PAIRS = ROWS.flatMap(row => row.roles.flatMap(role => (
  row.sources.flatMap((weaker, index) => row.sources.slice(index + 1).map(stronger => ({
    row, role, weaker: sourceName(weaker, row), stronger: sourceName(stronger, row),
    title: `${row.target} of the ${role}: ${weaker} < ${stronger}`,
  })))
)));

function described(role: Role, weaker: Said, stronger: Said): Described {
  const template: PodTemplateSpec = {
    spec: {
      ...weaker.template,
      ...stronger.template,
      containers: [{ name: containerOf(role), ...weaker.container, ...stronger.container }, ...weaker.template?.containers ?? []],
    },
  };
  const hasTemplate = [weaker, stronger].some(said => said.template ?? said.container);
  return {
    pod: { ...weaker.pod, ...stronger.pod, ...(hasTemplate ? { template } : {}) },
    application: {
      ...weaker.application, ...stronger.application, volumes: [
        ...weaker.application?.volumes ?? [], ...stronger.application?.volumes ?? [],
      ],
    },
  };
}

test('every row of the table is tested, by a subject in SUBJECTS', () => {
  expect(ROWS.map(({ target }) => target).filter(target => !SUBJECTS[target])).toEqual([]);
  expect(ROWS.length).toBeGreaterThan(30);
});

test.each(PAIRS)('$title', ({ row, role, weaker, stronger }) => {
  const subject = SUBJECTS[row.target]!;
  const [one, two] = subject.values;
  const said = described(role, subject.say[weaker]?.(one, role) ?? {}, subject.say[stronger]?.(two, role) ?? {});
  const nameOf = (source: string) => subject.path?.(source, role) ?? source;

  if (row.conflict === 'rejected') {
    expect(nameOf(stronger)).toBe(refusalOf(() => createdPod(role, said)).field);
    return;
  }
  const created = createdPod(role, said);
  const meant = (value: string, source: string) => (subject.means ? subject.means(value, source, role) : value);
  if (row.conflict === 'both') {
    expect(subject.read(created)).toEqual([meant(one, weaker), meant(two, stronger)]);
    expect(created.warnings).toEqual([]);
    return;
  }
  // Spark always sets its value.
  const isSparks = row.sources.slice(row.sources.findIndex(source => sourceName(source, row) === stronger)).includes('Spark');
  expect(subject.read(created)).toEqual(isSparks ? meant(two, 'Spark') : meant(two, stronger));
  if (isSparks) {
    const loser = nameOf(stronger === 'Spark' ? weaker : stronger);
    expect(created.warnings.filter(warning => warning.includes(loser) && /Spark|overhead/.test(warning))).toHaveLength(1);
  } else if (weaker !== 'Spark') {
    expect(created.warnings.filter(warning => warning.includes(nameOf(weaker)) && warning.includes(nameOf(stronger)))).toHaveLength(1);
  }
});
