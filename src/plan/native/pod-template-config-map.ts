import type { ConfigMap } from '../../model/kubernetes-objects';
import { addParts } from './pod-parts';
import type { FeatureStep } from './feature-step';

const TEMPLATE_FILE = 'spark.kubernetes.executor.podTemplateFile';
const VOLUME = 'pod-template-volume';
const DIRECTORY = '/opt/spark/pod-template';
/** Key of the template in its ConfigMap. */
export const TEMPLATE_KEY = 'podspec-configmap-key';
const FILE = 'pod-spec-template.yml';

/**
 * Puts the executors' pod template into a ConfigMap, from which the driver reads it
 * (PodTemplateConfigMapStep).
 */
export const podTemplateConfigMap: FeatureStep = ({ executorTemplate, identity }, pod) => {
  if (executorTemplate === undefined) {
    return {};
  }
  const name = `${identity.resourcePrefix}-driver-podspec-conf-map`;
  const configMap: ConfigMap = {
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { [TEMPLATE_KEY]: executorTemplate }, immutable: true,
  };
  return {
    pod: addParts(pod, {
      volumes: [{ name: VOLUME, configMap: { name, items: [{ key: TEMPLATE_KEY, path: FILE }] } }],
      mounts: [{ name: VOLUME, mountPath: DIRECTORY }],
    }),
    properties: { [TEMPLATE_FILE]: `${DIRECTORY}/${FILE}` },
    resources: [configMap],
  };
};
