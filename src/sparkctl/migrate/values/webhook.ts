import { podValues } from './pods';
import { numeric, onlyWith, prop, unneeded, type Translate, type ValueEntry, type ValuesTable } from './translation';
import { isObject } from '../../../model/is-object';

const ENABLED = 'webhook.enable';

const failurePolicy: Translate = (value) => ({ props: { webhook: { failurePolicy: value, podFailurePolicy: value } } });

const timeout: Translate = (value) => ({
  props: { webhook: { timeout: `${value}s`, podTimeout: `${value}s` } },
  ...(Number(value) >= 10 && { note: 'Spark itself waits only 10 s for the answer to a new executor, and then loses the reason' }),
});

const sameForAll = (name: string) => unneeded(`the webhook has the operator's ${name}`);

/** Values of the webhook's behaviour, and of its configurations. */
const BEHAVIOUR: ValuesTable = {
  'webhook.leaderElection.enable': { byDefault: true, becomes: unneeded('all replicas serve, and none has to lead') },
  'webhook.logLevel': { byDefault: 'info', becomes: sameForAll('logLevel') },
  'webhook.logEncoder': { byDefault: 'console', becomes: sameForAll('logEncoder') },
  'webhook.port': { byDefault: 9443, becomes: numeric('webhook.port', 'the port of the pods; that of the Service is 443') },
  'webhook.portName': { byDefault: 'webhook', becomes: unneeded('the port is always named webhook, and nothing selects by that name') },
  'webhook.failurePolicy': { byDefault: 'Fail', becomes: failurePolicy },
  'webhook.timeoutSeconds': { byDefault: 10, becomes: timeout },
  'webhook.kubeAPIQPS': { byDefault: 20, becomes: sameForAll('kubeApiQps') },
  'webhook.kubeAPIBurst': { byDefault: 30, becomes: sameForAll('kubeApiBurst') },
  'webhook.resourceQuotaEnforcement.enable': { byDefault: false, becomes: prop('webhook.resourceQuotas') },
};

const PODS = podValues({
  from: 'webhook', to: 'webhook.deployment.', suffix: '-webhook',
  volume: {
    definition: { name: 'serving-certs', emptyDir: { sizeLimit: '500Mi' } } as { name: string },
    mount: { name: 'serving-certs', mountPath: '/etc/k8s-webhook-server/serving-certs', subPath: 'serving-certs', readOnly: false },
  },
});

const issuer: Translate = (value: unknown) => {
  const { name, kind, group, ...others } = isObject(value) ? value : {};
  if (name === undefined || Object.keys(others).length > 0) return { loss: 'an issuer has name, kind and group; write those' };
  return {
    props: {
      webhook: {
        certificates: {
          certManager: {
            issuerName: name, ...(kind !== undefined && { issuerKind: kind }), ...(group !== undefined && { issuerGroup: group }),
          },
        },
      },
    },
    note: 'it must publish its CA (ca.crt in the Secret)',
  };
};

const byCertManager = (becomes: Translate) => onlyWith('certManager.enable', becomes);

/** Certificates of the webhook by cert-manager. */
const CERTIFICATES: ValuesTable = {
  'certManager.enable': { byDefault: false, becomes: () => ({ props: { webhook: { certificates: { certManager: {} } } } }) },
  'certManager.issuerRef': { byDefault: {}, becomes: byCertManager(issuer) },
  'certManager.duration': { byDefault: '', becomes: byCertManager(prop('webhook.certificates.certManager.lifetime')) },
  'certManager.renewBefore': { byDefault: '', becomes: byCertManager(prop('webhook.certificates.certManager.renewBefore')) },
};

/** The chart has a webhook by default, and `SparkOperator` has none. */
const enable: ValueEntry = {
  byDefault: true,
  isDefaultTranslated: true,
  becomes: (value) => (value === false
    ? { note: 'none, as by default here' }
    : { props: { webhook: { deployment: {} } }, note: 'optional here: without it, executor.memoryLimit and a few others have no effect' }),
};

/** Values of the webhook and of its certificates. */
export const WEBHOOK: ValuesTable = {
  [ENABLED]: enable,
  ...Object.fromEntries(Object.entries({ ...BEHAVIOUR, ...PODS, ...CERTIFICATES }).map(([path, entry]) => [
    path, { ...entry, becomes: onlyWith(ENABLED, entry.becomes) },
  ])),
};
