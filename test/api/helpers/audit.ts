import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
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

/** A part of the log, as far as it was read: tests ask again and again, and it grows to 100 MB. */
interface Part {
  /** Bytes. */
  size: number;
  readonly byUser: Map<string, AuditedCall[]>;
}

const parts = new Map<string, Part>();

/** Returns a user's requests, from the audit log of the API server (AUDIT_LOG) and its rotated parts. */
export function auditOf(user: string): AuditedCall[] {
  const log = process.env.AUDIT_LOG;
  if (!log) throw new Error('no audit log: run `npm run test:api`');
  const files = readdirSync(dirname(log)).filter((name) => name.startsWith(basename(log, '.log')) && name.endsWith('.log'));
  return files.flatMap((name) => readOn(join(dirname(log), name)).get(user) ?? []);
}

/** Reads what has come to a file since the last time, up to the last whole line. */
function readOn(file: string): Part['byUser'] {
  let part = parts.get(file);
  // The file under this name was put aside, and another one has begun.
  if (!part || statSync(file).size < part.size) parts.set(file, part = { size: 0, byUser: new Map() });
  const more = readFrom(file, part.size);
  const end = more.lastIndexOf('\n') + 1;
  part.size += end;
  for (const line of more.toString('utf8', 0, end).split('\n')) {
    if (line === '') continue;
    const { user, impersonatedUser, ...call } = JSON.parse(line);
    for (const { username } of [user, impersonatedUser ?? []].flat()) {
      const calls = part.byUser.get(username);
      if (calls) calls.push(callOf(call));
      else part.byUser.set(username, [callOf(call)]);
    }
  }
  return part.byUser;
}

function readFrom(file: string, position: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - position));
    return buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, position));
  } finally {
    closeSync(descriptor);
  }
}

function callOf({ verb, objectRef: ref = {}, responseStatus: { code } }: any): AuditedCall {
  return { verb, resource: [ref.apiGroup ?? '', ref.resource, ...(ref.subresource ? [ref.subresource] : [])].join('/'), namespace: ref.namespace, name: ref.name, code };
}
