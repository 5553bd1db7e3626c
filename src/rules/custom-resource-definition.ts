import type { KindDefinition } from '../api/kind';
import type { Schema } from './schema';

/**
 * Returns the CustomResourceDefinition of a kind.
 *
 * @param schema the schema of the whole object
 * @internal
 */
export function customResourceDefinition(kind: KindDefinition, schema: Schema) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${kind.plural}.${kind.group}`,
      // Groups under k8s.io are protected: the API server requires the place of their approval.
      annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubeflow/spark-operator/pull/1298' },
    },
    spec: {
      group: kind.group,
      names: { kind: kind.kind, listKind: `${kind.kind}List`, plural: kind.plural, singular: kind.singular, shortNames: kind.shortNames },
      scope: 'Namespaced',
      versions: [{
        name: kind.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: kind.printerColumns,
        schema: { openAPIV3Schema: schema },
      }],
    },
  };
}
