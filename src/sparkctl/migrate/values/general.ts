import { prop, unneeded, type Translate, type ValuesTable } from './translation';
import { isObject } from '../../../model/is-object';

/** The image of kubeflow's operator cannot run this one. */
const image: Translate = (value) => ({
  loss: `"${value}" is part of the image of kubeflow's operator, and this one has another; name a copy in your registry with --image`,
});

const noHook = unneeded('no Job updates the CRDs: `sparkctl install` and `kubectl apply` do it');

const secretNames = (secrets: unknown): unknown => (Array.isArray(secrets)
  ? secrets.map((secret: unknown) => (isObject(secret) ? secret.name : secret))
  : secrets);

/** The chart derives the prefix of all names from both overrides and the name of the release. */
const name: Translate = (_, chart) => ({ props: { name: chart.ownName }, note: 'the prefix of the names of all objects' });

/** Names, labels, the image, and the Job for CRDs. */
export const GENERAL: ValuesTable = {
  'nameOverride': { byDefault: '', becomes: name },
  'fullnameOverride': { byDefault: '', becomes: name },
  'commonLabels': { byDefault: {}, becomes: prop('labels') },
  'image.registry': { byDefault: 'ghcr.io', becomes: image },
  'image.repository': { byDefault: 'kubeflow/spark-operator/controller', becomes: image },
  'image.tag': { byDefault: '', becomes: image },
  'image.pullPolicy': { byDefault: 'IfNotPresent', becomes: prop('imagePullPolicy') },
  'image.pullSecrets': { byDefault: [], becomes: prop('imagePullSecrets', undefined, secretNames) },
  'hook.upgradeCrd': { byDefault: false, becomes: noHook },
  'hook.image.registry': { byDefault: 'ghcr.io', becomes: noHook },
  'hook.image.repository': { byDefault: 'kubeflow/spark-operator/kubectl', becomes: noHook },
  'hook.image.tag': { byDefault: '', becomes: noHook },
  'hook.resources': { byDefault: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '100m', memory: '64Mi' } }, becomes: noHook },
  'hook.nodeSelector': { byDefault: {}, becomes: noHook },
  'hook.affinity': { byDefault: {}, becomes: noHook },
  'hook.tolerations': { byDefault: [], becomes: noHook },
  'hook.labels': { byDefault: {}, becomes: noHook },
  'hook.annotations': { byDefault: {}, becomes: noHook },
};
