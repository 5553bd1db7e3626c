import { GAVE_UP, schedulerReason } from '../model/cause/obstacle-text';
import { shortened } from '../text/shorten';

/** Maximum length of the words, in characters. */
const MAX_LENGTH = 40;

/** Kinds that messages of Kubernetes name in lower case. */
const KINDS: Readonly<Record<string, string>> = {
  'configmap': 'ConfigMap', 'secret': 'Secret', 'persistentvolumeclaim': 'PersistentVolumeClaim', 'serviceaccount': 'ServiceAccount',
  'service account': 'ServiceAccount', 'priorityclass': 'PriorityClass',
};

const MISSING = /(configmap|secret|persistentvolumeclaim|serviceaccount|service account) "?(?:[^"\s/]+\/)?([^"\s/:]+)"? (?:was )?not found/i;
const MISSING_PRIORITY = /no PriorityClass with name (\S+) was found/i;
const MISSING_KEY = /couldn't find key (\S+) in (ConfigMap|Secret) (?:[^\s/]+\/)?(\S+)/i;

/** Kubernetes' reason, after the operator's words. */
const REASON = /(?:does not start: |^)([A-Z][A-Za-z]+)(?::|$| \((?:waited|the operator gave up|activeDeadlineSeconds are) )/;

/**
 * Returns the reason why a pod is not created or does not start in a few words, such as
 * `ImagePullBackOff`, `missing ConfigMap x` or `quota compute exceeded`.
 *
 * @param message error message of the status, or reason and message of Kubernetes joined by `: `
 */
export function obstacleWords(message: string): string {
  const words = wordsIn(message) ?? /\b(?:driver|server) cannot be created/.exec(message)?.[0] ?? message.split('\n', 1)[0]!;
  return shortened(words, MAX_LENGTH);
}

/**
 * Returns the reason in the message of a driver that was not created or did not start, in a few
 * words; undefined for other messages and unknown reasons.
 */
export function failedStartWords(message: string): string | undefined {
  if (!/does not (?:start: |create )/.test(message) || /ExitCode: \d/.test(message)) return undefined;
  const words = wordsIn(message);
  return words === undefined ? undefined : shortened(words, MAX_LENGTH);
}

function wordsIn(message: string): string | undefined {
  const [, kind, name] = MISSING.exec(message) ?? [];
  if (kind !== undefined) return `missing ${KINDS[kind.toLowerCase()]} ${name}`;
  const [, priority] = MISSING_PRIORITY.exec(message) ?? [];
  if (priority !== undefined) return `missing PriorityClass ${priority}`;
  const [, key, holder, of] = MISSING_KEY.exec(message) ?? [];
  if (key !== undefined) return `missing key ${key} in ${holder} ${of}`;
  const [, quota] = /exceeded quota: ([^\s,]+)/.exec(message) ?? [];
  if (quota !== undefined) return `quota ${quota} exceeded`;
  const [, verb, resource] = /cannot (\w+) resource "([^"]+)"/.exec(message) ?? [];
  if (verb !== undefined) return `cannot ${verb} ${resource}`;
  const unschedulable = /\bUnschedulable: /.test(message) ? schedulerReason(message.replace(GAVE_UP, '')) : undefined;
  if (unschedulable !== undefined) return unschedulable.replace('all nodes have the ', '');
  const [, reason] = REASON.exec(message) ?? [];
  if (reason !== undefined) return reason;
  if (/admission webhook "[^"]+" denied/.test(message)) return 'denied by a webhook';
  if (/webhook/.test(message)) return 'webhook does not answer';
  if (/still being deleted/.test(message)) return 'its pod is not deleted yet';
  return undefined;
}
