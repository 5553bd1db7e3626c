import type { Problem } from '../../model/problem';
import { metadataViolations, type Metadata } from '../../rules/metadata';

type Maps = { readonly [field in 'labels' | 'annotations' | 'serviceLabels' | 'serviceAnnotations']?: Metadata['labels'] };

/** Checks Kubernetes' rules for labels and annotations. @internal */
export function labelViolations(path: string, { labels, annotations, serviceLabels, serviceAnnotations }: Maps): Problem[] {
  const violationsOf = (metadata: Metadata) => metadataViolations('name', metadata);
  return [
    ...violationsOf({ labels, annotations }).map((found) => ({ ...found, path: found.path.replace(/^metadata/, path) })),
    ...violationsOf({ labels: serviceLabels, annotations: serviceAnnotations }).map((found) => (
      {
        ...found,
        path: found.path.replace(/^metadata\.(labels|annotations)/, (_, map) => (
          `${path}.service${map === 'labels' ? 'Labels' : 'Annotations'}`
        )),
      }
    )),
  ];
}
