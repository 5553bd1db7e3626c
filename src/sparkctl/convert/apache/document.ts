import { visit, type Document, type YAMLMap } from 'yaml';
import { isObject } from '../../../model/is-object';
import { APACHE_GROUP, isApaches as isApachesVersion } from '../../manifests/kinds';
import { valueIn } from '../nodes';

/** Versions that its CRDs serve. */
const APACHE_VERSIONS = ['v1', 'v1beta1'].map((version) => `${APACHE_GROUP}/${version}`);

/** Remedy for a kind or version of Apache's that is not translated. */
export interface Untranslated {
  readonly field: string;
  readonly message: string;
}

/** Whether an object is of Apache's operator. */
export function isApaches(object: YAMLMap): boolean {
  return isApachesVersion(valueIn(object, 'apiVersion'));
}

/** Returns why an object of Apache's operator is not translated; undefined if it is. */
export function untranslated(object: YAMLMap): Untranslated | undefined {
  const [apiVersion, kind] = [String(valueIn(object, 'apiVersion')), String(valueIn(object, 'kind'))];
  if (kind === 'SparkCluster') {
    return {
      field: 'kind',
      message: 'SparkCluster cannot be converted: this operator has no standalone clusters; run each job as a SparkApplication, '
        + 'serve interactive clients with a SparkConnect, or keep Apache\'s operator for it',
    };
  }
  if (kind !== 'SparkApplication') return { field: 'kind', message: `${kind} cannot be converted: ${APACHE_GROUP} has SparkApplication and SparkCluster` };
  if (APACHE_VERSIONS.includes(apiVersion)) return undefined;
  return {
    field: 'apiVersion',
    message: `${apiVersion} cannot be converted: write ${APACHE_VERSIONS[0]}, or read the object from a cluster with kubectl get sparkapplications.v1.${APACHE_GROUP}`,
  };
}

/**
 * Replaces aliases in a document with an application of Apache's by their values: the anchor of an
 * alias can be in a part that moves. Comments of such a document are lost.
 */
export function withoutAliases(document: Document): void {
  let hasAlias = false;
  visit(document, { Alias: () => { hasAlias = true; return visit.BREAK; } });
  if (hasAlias && holdsApaches(document.toJS())) document.contents = document.createNode(document.toJS(), { aliasDuplicateObjects: false });
}

function holdsApaches(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (Array.isArray(value.items) && value.items.some(holdsApaches)) return true;
  return isApachesVersion(value.apiVersion);
}
