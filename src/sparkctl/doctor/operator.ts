import { type Finding, findingsOf } from './finding';
import { unreadable, type Unreadable } from './reading';
import { handles, installAgain, type Installation } from '../setup/installation';
import { isAvailable } from '../setup/available';

const findings = findingsOf('Operator');

/**
 * Checks whether an operator runs and has this version.
 *
 * @param version version of this program
 */
export function operatorFindings(installation: Installation, version: string): Finding[] {
  const { name, namespace, deployment, image } = installation;
  const { spec: { replicas = 1 }, status: { readyReplicas = 0, conditions = [] } = {} } = deployment;
  const title = `Deployment ${namespace}/${name}`;
  const labels = Object.entries(deployment.spec.selector.matchLabels ?? {}).map(([label, value]) => `${label}=${value}`);
  const details = `kubectl describe pods -n ${namespace} -l ${labels.join(',')}`;
  const count = `${readyReplicas} of ${replicas} ${replicas === 1 ? 'replica is' : 'replicas are'} ready`;
  const failure = conditions.find((condition) => condition.type === 'ReplicaFailure' && condition.status === 'True')?.message;
  if (replicas === 0) {
    return [findings.error(
      `${title} is scaled to no replicas: applications are not reconciled`,
      `kubectl scale deployment -n ${namespace} ${name} --replicas=1`,
    )];
  }
  const why = failure === undefined ? '' : `: ${failure}`;
  const newest = isAvailable(deployment) ? '' : ', and not all have its newest version';
  const ready = readyReplicas === 0 ? findings.error(`${title}: ${count}, so that applications are not reconciled${why}`, details)
    : readyReplicas < replicas || newest !== '' ? findings.warning(`${title}: ${count}${newest}${why}`, details)
      : findings.ok(`${title}: ${count}`);
  return [ready, versionFinding(installation, version, image), scopeFinding(installation)];
}

function versionFinding(installation: Installation, version: string, image: string): Finding {
  const { version: found } = installation;
  if (found === undefined) {
    return findings.warning(
      `the version of the operator is unknown: it has no label app.kubernetes.io/version; its image is ${image}`,
      installAgain(installation),
    );
  }
  if (found === version) return findings.ok(`it has version ${found}, like this sparkctl: ${image}`);
  return findings.warning(
    `it has version ${found}, and this sparkctl has ${version}: ${image}`,
    `${installAgain(installation)}; or use sparkctl ${found}`,
  );
}

function scopeFinding({ jobNamespaces, isClusterWide }: Installation): Finding {
  if (!isClusterWide) return findings.ok(`it runs the applications of ${jobNamespaces.join(', ')}, and no others`);
  return findings.ok(jobNamespaces.length === 0
    ? 'it runs the applications of all namespaces that its flags select'
    : `it runs the applications of ${jobNamespaces.join(', ')}, and of namespaces with certain labels`);
}

/**
 * Reports namespaces with applications that no operator handles.
 *
 * @param installations all operators
 * @param namespaces of applications
 */
export function unhandledFindings(installations: readonly Installation[], namespaces: readonly string[]): Finding[] {
  if (installations.length === 0) return []; // the missing operator has its own finding
  const unhandled = namespaces.filter((namespace) => installations.every((each) => handles(each, namespace) === false));
  return unhandled.map((namespace) => findings.error(
    `no operator handles the namespace ${namespace}: its applications are not reconciled`,
    `repeat the installation as you made it, with ${namespace} added to --job-namespace, or to jobNamespaces of the values or the cdk8s program`,
  ));
}

/**
 * Returns the finding that there is no operator.
 *
 * @param namespace the only one that was searched; undefined: all
 */
export function noOperator(namespace: string | undefined): Finding {
  const where = namespace === undefined ? 'in the cluster' : `in the namespace ${namespace}`;
  return findings.error(
    `there is no operator of this package ${where}: applications are not reconciled`,
    `sparkctl install${namespace === undefined || namespace === 'spark-operator' ? '' : ` -n ${namespace}`} --job-namespace NAMESPACE`,
  );
}

/**
 * Reports that the Deployments could not be read, so that it is unknown whether an operator runs.
 *
 * @param namespace the only one that was read; undefined: all
 */
export function unreadableOperator(namespace: string | undefined, reading: Unreadable): Finding {
  return unreadable(
    findings,
    `the Deployments of ${namespace === undefined ? 'all namespaces' : `the namespace ${namespace}`}, which show whether an operator runs`,
    reading,
  );
}
