import type { Role } from '../../../../src/plan/properties/role';

/** Returns an application with these fields. */
export function pi(spec: object = {}, more: object = {}) {
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication',
    metadata: { name: 'pi', namespace: 'jobs', uid: 'app', generation: 1 },
    spec: {
      type: 'Python', sparkVersion: '4.1.1', image: 'spark', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {},
      ...spec,
    },
    status: { submissionID: 's', submissionAttempts: 1 }, ...more,
  };
}

/** The owner of the pods of an application. */
export const OWNER = { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid: 'app', controller: true };

/** Fields that the API server adds to a pod before it calls a webhook. */
const FILLED_IN = {
  restartPolicy: 'Never', terminationGracePeriodSeconds: 30, dnsPolicy: 'ClusterFirst', serviceAccountName: 'spark',
  serviceAccount: 'spark', schedulerName: 'default-scheduler',
  securityContext: {}, enableServiceLinks: true, priority: 0, preemptionPolicy: 'PreemptLowerPriority',
  tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }],
};

/** A pod of plain spark-submit, or of another operator, without the changes of a template. */
export function plainPod(
  role: Role,
  { metadata = {}, container = {}, spec = {} }: { readonly metadata?: object; readonly container?: object; readonly spec?: object } = {},
): any {
  const isDriver = role === 'driver';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: isDriver ? 'pi-driver' : 'pi-exec-1',
      labels: {
        'spark-role': role, 'spark-app-selector': 'spark-1', 'sparkoperator.k8s.io/app-name': 'pi',
        'sparkoperator.k8s.io/launched-by-spark-operator': 'true', 'sparkoperator.k8s.io/submission-id': 's',
      },
      ...(!isDriver && { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'pi-driver', uid: 'driver', controller: true }] }),
      ...metadata,
    },
    spec: {
      volumes: [{ name: 'spark-conf-volume', configMap: { name: 'spark-conf', defaultMode: 420 } }, {
        name: 'kube-api-access-x', projected: {},
      }],
      containers: [{
        name: `spark-kubernetes-${role}`,
        image: 'spark',
        args: [role],
        env: [{ name: 'SPARK_USER', value: 'spark' }, { name: 'SPARK_CONF_DIR', value: '/opt/spark/conf' }],
        ports: [{ name: 'blockmanager', containerPort: 7079, protocol: 'TCP' }],
        resources: { requests: { cpu: '1', memory: '1408Mi' }, limits: { memory: '1408Mi' } },
        volumeMounts: [
          { name: 'spark-conf-volume', mountPath: '/opt/spark/conf' },
          { name: 'kube-api-access-x', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
        ],
        terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File', imagePullPolicy: 'IfNotPresent',
        ...container,
      }],
      ...FILLED_IN,
      ...spec,
    },
  };
}
