import type { ApiError } from '../../kube/errors';
import { fieldConflicts } from '../conflicts';
import { titleOf } from '../output/title';
import { problemText } from '../problem';
import type { Manifest } from './read';
import type { Report } from './report';

const ADVICE = 'write the current value of this field into the file (`sparkctl diff --force-conflicts` shows it), '
  + 'remove the field if it is optional, or take it over with --force-conflicts';

const ADVICE_ON_SEVERAL = 'write the current values of these fields into the file (`sparkctl diff --force-conflicts` shows them), '
  + 'remove those that are optional, or take them over with --force-conflicts';

/** Reports why the cluster rejects a manifest. Each field of another manager has its own line. */
export function reportRejection(error: ApiError, { object, source }: Manifest, report: Report): void {
  const title = titleOf(object);
  const conflicts = fieldConflicts(error);
  for (const { field, manager } of conflicts) report.error(source.place(field), `${title}: ${field} is managed by "${manager}"`);
  if (conflicts.length === 0) report.error(source.place(), `${title}: ${problemText(error)!}`);
  else report.note(source.place(), `${title}: ${conflicts.length === 1 ? ADVICE : ADVICE_ON_SEVERAL}`);
}
