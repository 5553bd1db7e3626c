import { routeOf, type Exposure, type Route } from '../../../owned/route';
import type { IngressSettings } from '../../../owned/settings';
import type { SparkApplication } from '../../../../model/spark-application';
import { metadataOf } from './metadata';

/**
 * Returns the Ingress, or the HTTPRoute for a Gateway, that leads a URL to a Service of an
 * application.
 */
export function routeTo(application: SparkApplication, exposure: Exposure, settings: IngressSettings): Route {
  const { metadata: { name, namespace }, status } = application;
  return routeOf({
    name, namespace, appId: status?.sparkApplicationId ?? '', metadataOf: (object, own) => metadataOf(application, object, own),
  }, exposure, settings);
}
