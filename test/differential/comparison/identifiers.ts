import { resourceNamePrefix } from '../../../src/plan/names';
import type { Identifiers } from './rules';
import type { Submitted } from './submitted';

/** Suffixes that spark-submit appends to the prefix for the names of its objects. */
const SUFFIXES = [
  '-driver', '-driver-svc', '-driver-podspec-conf-map', '-hadoop-config', '-krb5-file', '-kubernetes-credentials', '-delegation-tokens', '-kerberos-keytab', '-policy', '-driver-pvc-[0-9]+.*',
];
const MAX_SERVICE_NAME_LENGTH = 63;

/** Finds the identifiers that spark-submit generated, by their form: ids are hexadecimal numbers of a fixed length (KubernetesUtils.uniqueID, UUID). */
export function identifiersOfSpark(submitted: Submitted, applicationName: string): Identifiers {
  const text = JSON.stringify(submitted);
  const names = [submitted.pod, ...submitted.resources].map(({ metadata }) => String(metadata.name));
  const find = (pattern: RegExp) => pattern.exec(text)?.[1];
  const isLong = isServiceNameLong(applicationName);
  const prefixed = isLong ? names.filter((name) => !/^spark-[0-9a-f]{16}-driver-svc$/.test(name)) : names;
  return {
    applicationId: find(/"(spark-[0-9a-f]{32})"/),
    resourcePrefix: prefixOf(prefixed, applicationName),
    serviceName: isLong ? names.find((name) => name.endsWith('-driver-svc')) : undefined,
    configMapName: find(/"(spark-drv-[0-9a-f]{16}-conf-map)"/),
    localDirectory: find(/(\/var\/data\/spark-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/),
    submitTime: find(/spark\.app\.submitTime=([0-9]{13})\\n/),
  };
}

/** The prefix of the names: one that follows Spark's rule, else one that looks like it. */
function prefixOf(names: readonly string[], applicationName: string): string | undefined {
  const pattern = new RegExp(`^([a-z0-9-]*[0-9a-fx][0-9a-f]{15})(${SUFFIXES.join('|')})$`);
  const prefixes = names.flatMap((name) => pattern.exec(name)?.[1] ?? []);
  return prefixes.find((prefix) => prefix === sparkPrefix(applicationName, prefix.slice(-16))) ?? prefixes[0];
}

/** Whether spark-submit gives the Service another name, as the one with the prefix would be no DNS label. */
export function isServiceNameLong(applicationName: string): boolean {
  return sparkPrefix(applicationName, '0'.repeat(16)).length + '-driver-svc'.length > MAX_SERVICE_NAME_LENGTH;
}

/**
 * Returns the prefix that Spark derives from an application's name and an id (KubernetesConf.getResourceNamePrefix): nothing is cut.
 * Written down a second time, and not taken from the sources that are tested.
 */
export function sparkPrefix(applicationName: string, id: string): string {
  // Java's trim takes away what is not above the space, and nothing else.
  return `${applicationName}-${id}`.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '').toLowerCase().replace(/[^a-z0-9-]/g, '-').replace(/-+/g, '-').replace(/^-/, '').replace(/^[0-9]/, 'x');
}

/** Why the names do not start as Spark's rule says, and ours by ours; undefined if they do. */
export function wrongPrefix(prefix: string, applicationName: string): string | undefined {
  const id = prefix.slice(-16);
  const byRule = sparkPrefix(applicationName, id);
  if (prefix !== byRule) return `spark-submit made ${prefix}, where its rule says ${byRule}`;
  const ours = resourceNamePrefix(applicationName, id);
  return isServiceNameLong(applicationName) || ours === prefix ? undefined : `spark-submit made ${prefix}, and native submission ${ours}`;
}
