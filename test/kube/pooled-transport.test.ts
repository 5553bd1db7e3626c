/* The tests of the client, with undici in place of Node's HTTP client. */
import { Agent } from 'node:http';
import { PooledTransport } from '../../src/kube/pooled-transport';
import { FakeApiServer } from './helpers/fake-api-server';
import { THINGS } from './helpers/things';

FakeApiServer.options = { newTransport: (connection, sockets) => new PooledTransport(connection, sockets) };

describe.each(['client', 'client-failures', 'guard', 'timing'])('%s', (name) => {
  jest.requireActual(`./${name}.test`);
});

test('a call uses undici, and one through a proxy the agent of the proxy', async () => {
  const server = await FakeApiServer.start();
  const exchange = jest.spyOn(Object.getPrototypeOf(PooledTransport.prototype), 'exchange');
  await server.client().listPage(THINGS);
  expect(exchange).not.toHaveBeenCalled();
  server.agent = new Agent();
  await server.client().listPage(THINGS);
  expect(exchange).toHaveBeenCalledTimes(1);
  await server.stop();
});
