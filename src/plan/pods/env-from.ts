import { onSparkContainer } from './container';
import { missingFrom } from './lists';

/** `envFrom`: adds ConfigMaps and Secrets whose entries become variables of Spark's container. */
export const envFrom = onSparkContainer((container, { spec }) => {
  const added = missingFrom(container.envFrom, spec.envFrom);
  return { container: added.length === 0 ? container : { ...container, envFrom: [...container.envFrom ?? [], ...added] } };
});
