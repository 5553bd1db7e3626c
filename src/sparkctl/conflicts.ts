import { isConflict, type ApiError } from '../kube/errors';

/** Field that an object would get from two managers, with different values. */
export interface FieldConflict {
  /** Path of the field, such as `spec.driver.cores`. */
  readonly field: string;
  /** Manager that has set it. */
  readonly manager: string;
}

/**
 * Returns the conflicting fields of a server-side apply. The message of the API server has a line
 * per field, and errors keep only the first one.
 *
 * @returns an empty list for other errors
 */
export function fieldConflicts(error: ApiError): FieldConflict[] {
  if (!isConflict(error)) return [];
  return (error.details?.causes ?? []).filter(({ reason }) => reason === 'FieldManagerConflict').map(({ field = '', message = '' }) => ({
    field: field.replace(/^\./, ''), manager: /"([^"]+)"/.exec(message)?.[1] ?? message,
  }));
}
