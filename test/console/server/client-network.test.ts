import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from '../../../src/console/server/client-network';
import { reviewedRights } from '../../../src/console/server/reviewed-rights';
import type { KubeClient } from '../../../src/kube/client';
import { Connections } from '../../../src/operator/admission/connections';
import { ManualClock, settle } from '../../kube/helpers/manual-clock';

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('the address %s counts as %s', (address, client) => expect(clientNetwork(address)).toBe(client));

test('a host that changes its address within its network has one share of the connections', () => {
  const connections = new Connections({ all: 100, ofAddress: 4 }, clientNetwork);
  const ended: string[] = [];
  for (let port = 1; port <= 20; port++) {
    const remoteAddress = `2001:db8::${port}`;
    connections.add(Object.assign(new EventEmitter(), { remoteAddress, remotePort: port, destroy: () => void ended.push(remoteAddress) }) as unknown as Socket);
  }
  expect([connections.size, ended.length]).toEqual([4, 16]);
});

test('a host that changes its address within its network does not delay who signs in from another', async () => {
  const reviewed: string[] = [];
  const client = {
    // The API server takes its time.
    request: ({ body }: { body: { spec: { token: string } } }) => new Promise(() => { reviewed.push(body.spec.token); }),
  } as unknown as Pick<KubeClient, 'request'>;
  const authenticate = reviewedRights(client, new ManualClock());
  const send = (remoteAddress: string, token: string) => {
    const request = { headers: { authorization: `Bearer ${token}` }, socket: { remoteAddress } } as unknown as IncomingMessage;
    void authenticate(request, new AbortController().signal);
  };
  for (let index = 1; index <= 50; index++) send(`2001:db8::${index}`, `invented-${index}`);
  send('2001:db8:1::1', 'newcomer');
  await settle();
  expect(reviewed).toEqual(['invented-1', 'invented-2', 'invented-3', 'invented-4', 'newcomer']);
});
