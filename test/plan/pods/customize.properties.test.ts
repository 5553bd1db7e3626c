import fc from 'fast-check';
import type { Container, PodSpec } from '../../../src/k8s';
import { customizePod, type CustomizedPod } from '../../../src/plan/pods/customize';
import type { PodCustomization, PodTemplate } from '../../../src/plan/pods/pod-template';
import { includes } from '../../../src/plan/pods/same';
import { SubmissionError } from '../../../src/plan/errors';
import { problemText } from '../../../src/model/problem';
import { fewest } from '../../helpers/fewest';
import { customization } from './arbitraries';
import { frozen } from './helpers';

/** Returns the result; undefined if fields contradict each other, which is an error. */
function customized(before: PodTemplate, request: PodCustomization): CustomizedPod<PodTemplate> | undefined {
  try {
    return customizePod(frozen(before), frozen(request));
  } catch (error) {
    if (SubmissionError.is(error)) {
      return undefined;
    }
    throw error;
  }
}

/** Returns the pod as the API server and its admission plugins change it before a webhook. */
function admitted({ metadata, spec }: PodTemplate): PodTemplate {
  const { containers, initContainers, volumes, ...rest } = spec!;
  const container = ({ volumeMounts, env, ports, lifecycle, ...other }: Container): Container => ({
    ...other,
    ...(env ? {
      env: env.map(({ value, valueFrom, ...named }) => ({
        ...named, ...(value ? { value } : {}),
        ...(valueFrom ? { valueFrom: { fieldRef: { apiVersion: 'v1', ...valueFrom.fieldRef! } } } : {}),
      })),
    } : {}),
    ...(ports ? { ports: ports.map(port => ({ ...port, protocol: port.protocol || 'TCP' })) } : {}),
    ...(lifecycle ? { lifecycle: { preStop: { httpGet: { ...lifecycle.preStop!.httpGet!, scheme: 'HTTP' } } } } : {}),
    resources: canonical(other.resources) ?? {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'Always',
    volumeMounts: [...volumeMounts ?? [], {
      name: 'kube-api-access-x', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true,
    }],
  });
  return {
    metadata,
    spec: {
      ...rest,
      ...(rest.securityContext ? {} : { securityContext: {} }),
      ...(initContainers ? { initContainers: initContainers.map(container) } : {}),
      containers: containers!.map(container),
      volumes: [
        ...(volumes ?? []).map(volume => (volume.configMap ? { ...volume, configMap: { defaultMode: 420, ...volume.configMap } } : volume)),
        { name: 'kube-api-access-x', projected: {} },
      ],
      tolerations: [...rest.tolerations ?? [], {
        key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300,
      }],
      restartPolicy: 'Never',
      enableServiceLinks: true,
    },
  };
}

function canonical(resources: Container['resources']): Container['resources'] {
  return resources
    && JSON.parse(JSON.stringify(resources).replaceAll('"1000m"', '"1"').replaceAll('"0.5"', '"500m"')) as Container['resources'];
}

/** Returns the addresses with their names. */
function names({ hostAliases }: Pick<PodSpec, 'hostAliases'>): string[] {
  return (hostAliases ?? []).flatMap(({ ip, hostnames }) => [ip, ...(hostnames ?? []).map(name => `${ip} ${name}`)]);
}

const RUNS = { numRuns: 150 };

test('customizePod is idempotent, and does not change its input', () => {
  let done = 0;
  fc.assert(fc.property(customization, ({ before, request }) => {
    const once = customized(before, request);
    if (once) {
      done++;
      expect(customized(once.pod, request)?.pod).toBe(once.pod);
    }
  }), RUNS);
  // Most of the generated cases are valid; otherwise this would prove little.
  expect(done).toBeGreaterThanOrEqual(fewest(RUNS.numRuns / 2 + 1));
});

test('customizePod is idempotent after the API server has added defaults', () => {
  fc.assert(fc.property(customization, ({ before, request }) => {
    const once = customized(before, request);
    if (once) {
      const stored = admitted(once.pod);
      expect(customized(stored, { ...request, target: request.target })?.pod).toEqual(stored);
    }
  }), RUNS);
});

test('a warning names each part of a pod that is lost', () => {
  fc.assert(fc.property(customization, ({ before, request }) => {
    const once = customized(before, request);
    if (!once) {
      return;
    }
    const warnings = once.warnings.map(problemText);
    const { containers, ...spec } = before.spec!;
    const after = once.pod.spec!;
    for (const [key, value] of Object.entries(spec)) {
      const isKept = key === 'hostAliases'
        ? names(spec).every(name => names(after).includes(name))
        : includes(after[key as keyof PodSpec], value);
      expect([key, isKept || warnings.some(warning => warning.includes(`.${key}`))]).toEqual([key, true]);
    }
    containers!.forEach((container) => {
      const result = after.containers!.find(({ name }) => name === container.name)!;
      for (const [key, value] of Object.entries(container)) {
        const isKept = key === 'env' || includes(result[key as keyof Container], value);
        expect([container.name, key, isKept || warnings.some(warning => warning.includes(key))]).toEqual([container.name, key, true]);
      }
      for (const { name } of container.env ?? []) {
        expect(result.env!.some(variable => variable.name === name)).toBe(true);
      }
    });
  }), RUNS);
});

test('the pod has all wanted parts', () => {
  fc.assert(fc.property(customization, ({ before, request }) => {
    const once = customized(before, request);
    if (!once) {
      return;
    }
    const { spec } = request;
    const after = once.pod.spec!;
    const container = after.containers!.find(({ name }) => name === request.container)!;
    expect(after.affinity ?? {}).toEqual(spec.affinity ?? before.spec!.affinity ?? {});
    expect(includes(after, {
      nodeSelector: spec.nodeSelector,
      tolerations: spec.tolerations,
      dnsConfig: spec.dnsConfig,
      initContainers: spec.initContainers,
      terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds,
      securityContext: spec.podSecurityContext,
      priorityClassName: spec.priorityClassName,
      schedulerName: request.application.batchScheduler ?? spec.schedulerName,
    })).toBe(true);
    expect(names(after)).toEqual(expect.arrayContaining(names(spec)));
    expect(includes(container, {
      lifecycle: spec.lifecycle, envFrom: spec.envFrom, ports: spec.ports, volumeMounts: spec.volumeMounts,
      securityContext: spec.securityContext,
    })).toBe(true);
    for (const { name } of spec.env ?? []) {
      const [wanted, is] = [
        spec.env!.findLast(variable => variable.name === name), container.env!.findLast(variable => variable.name === name),
      ];
      expect({ value: '', ...is }).toEqual({ value: '', ...wanted });
    }
  }), RUNS);
});
