import { wrongNumber } from '../props/_check';
import { withoutRepetitions } from '../props/_prop-types';
import { found, wrongImage, wrongName, wrongVariable } from '../rules/names';
import { wrongLabels } from '../rules/metadata';
import { commonPodViolations, withCommonPodProps } from './_common-pod-props';
import type { OperatorContext } from './_operator-context';
import { containerOf, customized, type OperatorProcess, ownTemplate, type ProgramPodProps } from './_operator-deployment';
import { OPERATOR_CPU, resourceViolations } from './_operator-resources';
import { propsOfWebhookPods } from './_operator-webhook';
import { missingRestrictions, unrestrictedVolume } from './_restricted-standard';
import { mountedSecret } from './_webhook-certificates';
import { certificatesOf, webhookPort } from './_webhook-flags';
import type { Problem } from '../model/problem';

/** Where Kubernetes mounts the token of the service account. */
const TOKEN_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Returns the problems of the props of pods: those of the operator, and of a webhook with its own.
 * @internal
 */
export function podViolations({ props, namespace, names, accounts }: OperatorContext): Problem[] {
  const { webhook } = props;
  const serving = webhook && { port: webhookPort(webhook), mounted: mountedSecret(certificatesOf(webhook, names)) };
  const process = { namespace, args: () => [] };
  const isRestricted = props.createNamespace !== false;
  const ofOperator = violations({
    ...process, names: names.operator, account: accounts.operator, ...(!webhook?.deployment && { webhook: serving }),
  }, props, isRestricted);
  if (!webhook?.deployment) return ofOperator;
  const ofWebhook = violations(
    { ...process, names: names.webhook, account: accounts.webhook, servesOnly: true, webhook: serving },
    propsOfWebhookPods(props, webhook.deployment), isRestricted,
  );
  // Props that the webhook inherits are reported once.
  const isOwn = ({ path }: Problem) => Object.hasOwn(webhook.deployment!, /^\w+/.exec(path)![0]);
  const shown = ofOperator.length > 0 ? ofWebhook.filter(isOwn) : ofWebhook;
  return [...ofOperator, ...shown.map((problem) => ({ ...problem, path: `webhook.deployment.${problem.path}` }))];
}

function violations(process: OperatorProcess, props: ProgramPodProps, isRestricted: boolean): Problem[] {
  const { podLabels = {}, env = [], imagePullSecrets = [], disruptionBudget = {}, replicas = 1 } = props;
  const { minAvailable, enabled } = disruptionBudget;
  const mountsToken = props.volumeMounts?.some(({ mountPath }) => mountPath.replace(/\/+$/, '') === TOKEN_FOLDER);
  const ofProps = found([
    wrongImage('image', props.image),
    ...imagePullSecrets.map((name, index) => wrongName(`imagePullSecrets[${index}]`, name)),
    wrongName('priorityClassName', props.priorityClassName),
    ...resourceViolations('resources', props.resources, OPERATOR_CPU),
    wrongNumber('revisionHistoryLimit', props.revisionHistoryLimit, 0),
    wrongNumber('disruptionBudget.minAvailable', minAvailable, 1),
    minAvailable !== undefined && enabled === false ? {
      path: 'disruptionBudget.minAvailable', value: minAvailable, reason: 'has no effect with enabled: false', remedy: 'leave one of them out',
    } : undefined,
    minAvailable !== undefined && minAvailable >= replicas ? {
      path: 'disruptionBudget.minAvailable', value: minAvailable,
      reason: `prevents each node drain, because there are ${replicas} replicas`, remedy: 'write a smaller number, or add replicas',
    } : undefined,
    ...Object.keys(podLabels).filter((label) => Object.hasOwn(process.names.selector, label)).map((label) => ({
      path: `podLabels[${label}]`, reason: 'is the label by which the Deployment selects its pods', remedy: 'leave it out',
    })),
    ...wrongLabels('podLabels', podLabels),
    ...wrongLabels('nodeSelector', props.nodeSelector),
    ...env.flatMap(({ name }) => [
      wrongVariable(`env[${name}]`, name),
      ['POD_NAME', 'POD_NAMESPACE'].includes(name)
        ? { path: `env[${name}]`, reason: 'is set by the construct', remedy: 'leave it out' } : undefined,
    ]),
    props.automountServiceAccountToken === false && !mountsToken ? {
      path: 'automountServiceAccountToken', value: false, reason: 'leaves the program without a token for the API server',
      remedy: `mount a projected volume with a token at ${TOKEN_FOLDER} by volumes and volumeMounts, or leave it out`,
    } : undefined,
  ]);
  const template = ownTemplate(process, { ...props, resources: undefined });
  const [container] = template.spec!.containers!;
  // The command line is known at synthesis, and resources have checks of their own.
  const pod = { ...template, spec: { ...template.spec, containers: [{ ...container!, args: [] }] } };
  const all = withoutRepetitions(ofProps, commonPodViolations(pod, containerOf(process), customized(props)));
  return all.length > 0 || !isRestricted ? all : restrictedViolations(process, props);
}

/** The namespace that the construct creates enforces the restricted Pod Security Standard. */
function restrictedViolations(process: OperatorProcess, props: ProgramPodProps): Problem[] {
  const { spec } = withCommonPodProps(ownTemplate(process, props), containerOf(process), customized(props));
  const remedy = 'change it, or create the namespace yourself with another standard, and set createNamespace: false';
  const standard = 'the restricted Pod Security Standard of the namespace';
  const own = containerOf(process);
  return [
    ...spec!.containers!.flatMap((container) => {
      const missing = missingRestrictions(container, spec!);
      const sidecar = props.sidecars?.findIndex(({ name }) => name === container.name);
      const path = container.name === own ? 'securityContext' : `sidecars[${sidecar}]`;
      return missing.length === 0 ? [] : [{ path, reason: `does not meet ${standard}: ${missing.join(', ')}`, remedy }];
    }),
    ...(props.volumes ?? []).flatMap((volume, index) => {
      const type = unrestrictedVolume(volume);
      return type === undefined ? [] : [{ path: `volumes[${index}].${type}`, reason: `is not allowed by ${standard}`, remedy }];
    }),
  ];
}
