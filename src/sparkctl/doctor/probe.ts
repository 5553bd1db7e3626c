import { type Finding, findingsOf } from './finding';
import { canI, isUnseen, unseen, type Reading } from './look';
import type { SparkApplicationSpec } from '../../api/spark-application';
import { ApiError, NetworkError } from '../../kube/errors';

const findings = findingsOf('Webhook');

/** An application that the CRD takes and the webhook refuses: of its files nobody knows where they are, and a size is none. It is only ever created as a dry run. */
export function probeApplication(namespace: string) {
  const spec = {
    type: 'Python', mode: 'cluster', sparkVersion: '4.1.1', mainApplicationFile: 'sparkctl-doctor.py', suspend: true,
    sparkConf: { 'spark.executor.memory': 'a size that is none' }, driver: {}, executor: {},
  } as unknown as SparkApplicationSpec;
  return { metadata: { name: 'sparkctl-doctor', namespace, uid: '' }, spec };
}

/** How the dry run ended: with an error, or taken. */
export type ProbeResult = { readonly isTaken: true } | { readonly isTaken: false; readonly error: unknown };

/** That there is no namespace to try a mistake in, or none that can be seen. @param selector of the labels of namespaces that the operator follows */
export function nowhereToProbe(selector: string, namespaces: Reading<unknown>): Finding {
  if (isUnseen(namespaces)) return unseen(findings, `which namespaces have the labels ${selector}, in one of which a mistake would be tried (dry run)`, namespaces);
  return findings.warning(`a mistake could not be tried (dry run): no namespace has the labels ${selector}, by which the operator selects them`, `kubectl get namespaces -l '${selector}'`);
}

/** Of the webhook, in what the API server says: its name begins so. */
const ITS_NAME = /"validate-sparkapplication[^"]*\.sparkoperator\.k8s\.io"/;

/**
 * Whether the API server has asked the webhook about an application that it refuses.
 *
 * @param remedy the command that shows more
 * @throws what is no answer of the API server
 */
export function probeFinding(result: ProbeResult, namespace: string, remedy: string): Finding {
  if (result.isTaken) return findings.error(`a mistake was taken in ${namespace} (dry run): the API server does not reach the webhook, or is not told to ask it there`, remedy);
  const { error } = result;
  if (error instanceof NetworkError) return findings.warning(`the dry run in ${namespace} had no answer: ${error.message}`, remedy);
  if (!(error instanceof ApiError)) throw error;
  const { serverMessage, status, call } = error;
  if (/failed calling webhook/.test(serverMessage)) return findings.error(`the API server does not reach it: ${serverMessage}`, remedy);
  if (/denied the request/.test(serverMessage) && ITS_NAME.test(serverMessage)) return findings.ok(`it refuses a mistake in ${namespace} (dry run)`);
  if (status === 403 && / cannot create resource /.test(serverMessage)) return findings.notAllowed(`you may not try a mistake in ${namespace} (dry run)`, canI(call));
  if (status === 404) return findings.warning(`a mistake could not be tried in ${namespace} (dry run): ${serverMessage}`, `kubectl get namespace ${namespace}`);
  return findings.warning(`something else than the webhook refused a mistake in ${namespace} (dry run), so that it is not known whether it is asked: ${serverMessage}`, remedy);
}
