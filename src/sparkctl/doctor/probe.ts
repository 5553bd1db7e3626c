import { type Finding, findingsOf } from './finding';
import { isUnreadable, unreadable, type Reading } from './reading';
import { canI } from '../lacking-permission';
import type { SparkApplicationSpec } from '../../api/spark-application';
import { ApiError, NetworkError } from '../../kube/errors';

const findings = findingsOf('Webhook');

/**
 * Returns an application that passes the CRD but not the webhook: its file has no known location,
 * and a size is invalid. It is only created as a dry run.
 */
export function probeApplication(namespace: string) {
  const spec = {
    type: 'Python', mode: 'cluster', sparkVersion: '4.1.1', mainApplicationFile: 'sparkctl-doctor.py', suspend: true,
    sparkConf: { 'spark.executor.memory': 'a size that is none' }, driver: {}, executor: {},
  } as unknown as SparkApplicationSpec;
  return { metadata: { name: 'sparkctl-doctor', namespace, uid: '' }, spec };
}

/** Result of the dry run: accepted, or an error. */
export type ProbeResult = { readonly isAccepted: true } | { readonly isAccepted: false; readonly error: unknown };

/**
 * Returns the finding that no namespace for the dry run exists or can be read.
 *
 * @param selector labels of namespaces that the operator watches
 */
export function noNamespaceToProbe(selector: string, namespaces: Reading<unknown>): Finding {
  if (isUnreadable(namespaces)) {
    return unreadable(
      findings, `which namespaces have the labels ${selector}, one of which the dry run of an invalid application needs`,
      namespaces,
    );
  }
  return findings.warning(
    `an invalid application could not be tested (dry run): no namespace has the labels ${selector} of the operator's selector`,
    `kubectl get namespaces -l '${selector}'`,
  );
}

/** Name of the webhook in the API server's message. */
const WEBHOOK_NAME = /"validate-sparkapplication[^"]*\.sparkoperator\.k8s\.io"/;

/**
 * Checks that the API server called the webhook, which rejects the application.
 *
 * @param remedy command that shows details
 * @throws errors that are not an answer of the API server
 */
export function probeFinding(result: ProbeResult, namespace: string, remedy: string): Finding {
  if (result.isAccepted) {
    return findings.error(
      `an invalid application was accepted in ${namespace} (dry run): the API server does not reach the webhook, or does not call it there`,
      remedy,
    );
  }
  const { error } = result;
  if (error instanceof NetworkError) return findings.warning(`the dry run in ${namespace} had no answer: ${error.message}`, remedy);
  if (!(error instanceof ApiError)) throw error;
  const { serverMessage, status, call } = error;
  if (/failed calling webhook/.test(serverMessage)) return findings.error(`the API server does not reach it: ${serverMessage}`, remedy);
  if (/denied the request/.test(serverMessage) && WEBHOOK_NAME.test(serverMessage)) {
    return findings.ok(`it rejects an invalid application in ${namespace} (dry run)`);
  }
  if (status === 403 && / cannot create resource /.test(serverMessage)) {
    return findings.notAllowed(`you cannot create an application in ${namespace} (dry run)`, canI(call));
  }
  if (status === 404) {
    return findings.warning(
      `an invalid application could not be tested in ${namespace} (dry run): ${serverMessage}`,
      `kubectl get namespace ${namespace}`,
    );
  }
  return findings.warning(
    `something other than the webhook rejected an invalid application in ${namespace} (dry run), `
      + `so it is unknown whether the webhook is called: ${serverMessage}`,
    remedy,
  );
}
