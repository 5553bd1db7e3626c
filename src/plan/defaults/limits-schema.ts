import { QUANTITY, type Schema } from '../../rules/schema';

const COUNT: Schema = { type: 'integer', format: 'int32', minimum: 0 };
const GLOBS: Schema = { type: 'array', maxItems: 256, items: { type: 'string', minLength: 1, maxLength: 512 } };
const POD: Schema = {
  type: 'object',
  properties: {
    maxCores: QUANTITY,
    maxMemory: { type: 'string' },
  },
};

/** The schema of `limits.yaml`; see `Limits`. `parse-limits` checks the amounts. */
export const LIMITS_SCHEMA: Schema = {
  type: 'object',
  properties: {
    maxExecutors: COUNT,
    driver: POD,
    executor: POD,
    allowedImages: GLOBS,
    allowedServiceAccounts: GLOBS,
    deniedSparkConf: GLOBS,
    allowedServiceTypes: {
      type: 'array', maxItems: 8, items: { type: 'string', enum: ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'] },
    },
    allowedServiceAnnotations: GLOBS,
    maxTimeToLiveSeconds: { type: 'integer', format: 'int64', minimum: 0 },
    maxRetries: COUNT,
    minScheduleInterval: { type: 'string' },
  },
};
