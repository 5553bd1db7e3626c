import { limitViolations } from '../defaults/limits';
import type { Layers } from '../defaults/layer';
import { serviceViolations } from '../defaults/service-limits';
import type { SubmissionError } from '../errors';
import { asApplication } from './as-application';

/**
 * Lists violations of the limits of the cluster and of the namespace by a server. The errors are
 * about the application that Spark sees, or about its Services.
 */
export function connectLimitViolations(connect: Parameters<typeof asApplication>[0], layers: Layers): SubmissionError[] {
  const application = asApplication(connect);
  const { sparkUIOptions, server } = connect.spec;
  return [...limitViolations(application, application.spec, layers), ...serviceViolations({ sparkUIOptions, server }, layers)];
}
