import type { Connection } from '../../../src/kube/connection';
import { tokenOf } from '../../helpers/kubectl';
import { testConnection } from '../../helpers/test-connection';

/** A connection with the token of a service account, as TokenRequest gives it to its pods. */
export async function accountConnection(namespace: string, account: string): Promise<Connection> {
  const { server, credentials } = testConnection();
  const { tls: { ca } } = await credentials();
  const token = await tokenOf(namespace, account);
  return { server, credentials: async () => ({ headers: { authorization: `Bearer ${token}` }, tls: { ca } }) };
}
