import { titleOf } from '../output/title';
import type { KnownManifest } from './checked';
import type { Report } from './report';

/** Reports an error if an object names another namespace than the command line. */
export function reportElsewhere({ object, source }: KnownManifest, namespace: string | undefined, report: Report): void {
  const own = (object.metadata as { readonly namespace?: string | null } | undefined)?.namespace;
  if (namespace === undefined || own === undefined || own === null || own === namespace) return;
  report.error(
    source.place('metadata.namespace'),
    `${titleOf(object)}: metadata.namespace = ${JSON.stringify(own)} is not ${namespace}, the value of --namespace; omit one of them`,
  );
}
