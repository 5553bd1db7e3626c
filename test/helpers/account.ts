import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfigOf } from './installation';

/** A kubeconfig on disk. */
export interface AccountFile {
  readonly file: string;
  remove(): void;
}

/** Writes a kubeconfig with the rights of a service account, and no others. */
export async function kubeconfigOfAccount(namespace: string, account: string): Promise<AccountFile> {
  const text = await kubeconfigOf(namespace, account);
  const folder = mkdtempSync(join(tmpdir(), 'account-'));
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, text, { mode: 0o600 });
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}
