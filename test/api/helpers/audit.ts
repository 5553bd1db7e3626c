import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A request as the API server's audit log has it. */
export interface AuditedCall {
  readonly verb: string;
  /** Group and plural, with the subresource if any, such as `sparkoperator.k8s.io/sparkapplications/status` or `/pods`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The code of the answer. */
  readonly code: number;
}

/** What a user has asked the API server for, from its audit log (AUDIT_LOG), those parts of it included that were put aside. */
export function auditOf(user: string): AuditedCall[] {
  const log = process.env.AUDIT_LOG;
  if (!log) throw new Error('no audit log: run `npm run test:api`');
  const files = readdirSync(dirname(log)).filter((name) => name.startsWith(basename(log, '.log')) && name.endsWith('.log'));
  return files.flatMap((name) => readFileSync(join(dirname(log), name), 'utf8').split('\n').filter((line) => line.includes(`"username":"${user}"`) && line.endsWith('}')).map(callOf));
}

function callOf(line: string): AuditedCall {
  const { verb, objectRef: ref = {}, responseStatus: { code } } = JSON.parse(line);
  return { verb, resource: [ref.apiGroup ?? '', ref.resource, ...(ref.subresource ? [ref.subresource] : [])].join('/'), namespace: ref.namespace, name: ref.name, code };
}
