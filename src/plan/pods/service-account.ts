import { overridden } from '../../model/problem';
import { type Concern, fieldOf } from './pod-template';

const PROPERTY = 'spark.kubernetes.authenticate.executor.serviceAccountName';

/**
 * The service account of executors. Spark keeps the template's `serviceAccount`, whatever the
 * properties are. It replaces the template's `serviceAccountName` by the driver's
 * (ExecutorKubernetesCredentialsFeatureStep). So this sets both fields, to the template's account
 * or that of the property.
 */
export const serviceAccount: Concern = (spec, request) => {
  const { serviceAccount: older, serviceAccountName: name } = spec;
  const inTemplate = name || older;
  if (request.target !== 'template' || request.role !== 'executor' || !inTemplate) {
    return { spec };
  }
  const chosen = request.properties.get(PROPERTY) || inTemplate;
  const key = name ? 'serviceAccountName' : 'serviceAccount';
  return {
    spec: older === chosen && name === chosen ? spec : { ...spec, serviceAccount: chosen, serviceAccountName: chosen },
    warnings: chosen === inTemplate ? [] : [overridden(fieldOf(request, `template.spec.${key}`), request.properties.fieldOf(PROPERTY))],
  };
};
