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

/** Returns a sentence about all conflicting fields, with the remedy; undefined for other errors. */
export function conflictText(error: ApiError): string | undefined {
  const conflicts = fieldConflicts(error);
  if (conflicts.length === 0) return undefined;
  const fields = conflicts.map(({ field, manager }) => `${field} is managed by "${manager}"`).join(', ');
  const [these, them] = conflicts.length === 1 ? ['this field', 'it'] : ['these fields', 'them'];
  return `${fields}; use --force-conflicts to take over ${these}, or remove ${them} from the file`;
}
