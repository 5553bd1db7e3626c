import { EventEmitter, once } from 'node:events';
import { Agent, createServer, get, IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { connect as connectTo, type AddressInfo, type Socket } from 'node:net';
import { addressOf, InboundConnections, networkOf, UNLIMITED } from '../../src/kube/inbound-connections';

/** Connections whose other ends the test controls; `a1` is one from the address `a`. */
function open(limits: { all: number; ofClient: number }) {
  const connections = new InboundConnections(limits);
  const sockets = new Map<string, Socket>();
  const responses = new Map<string, ServerResponse>();
  const ended: string[] = [];
  const socket = (name: string) => sockets.get(name)!;
  const begin = (name: string, complete = true) => {
    responses.set(name, new EventEmitter() as ServerResponse);
    return connections.begin({ socket: socket(name), complete } as IncomingMessage, responses.get(name)!);
  };
  const answer = (name: string) => void responses.get(name)!.emit('close');
  return {
    ended,
    connections,
    socket,
    begin,
    answer,
    connect(...names: string[]) {
      for (const name of names) {
        const destroy = () => void ended.push(name);
        sockets.set(name, Object.assign(new EventEmitter(), { remoteAddress: name[0], remotePort: Number(name.slice(1)), destroy }) as unknown as Socket);
        connections.add(socket(name));
      }
    },
    /** Makes a request that proves its connection. */
    prove(...names: string[]) {
      for (const name of names) {
        begin(name);
        connections.prove(socket(name));
        answer(name);
      }
    },
  };
}

describe('a client has a limit', () => {
  test('its oldest unproven connection ends first, then the one that was idle for the longest time', () => {
    const { connect, prove, ended, connections } = open({ all: 100, ofClient: 3 });
    connect('b1', 'a1', 'a2', 'a3');
    prove('b1', 'a1', 'a3', 'a1');
    connect('a4');
    expect(ended).toEqual(['a2']);
    prove('a4');
    connect('a5');
    expect(ended).toEqual(['a2', 'a3']);
    expect(connections.size).toBe(4);
  });

  test('a connection with a request does not end; the new one does', () => {
    const { connect, begin, answer, prove, ended } = open({ all: 100, ofClient: 2 });
    connect('a1', 'a2');
    prove('a1', 'a2');
    begin('a1');
    begin('a2');
    connect('a3');
    expect(ended).toEqual(['a3']);
    answer('a2');
    connect('a4');
    expect(ended).toEqual(['a3', 'a2']);
  });

  test('an incomplete request does not keep its place', () => {
    const { connect, begin, ended } = open({ all: 100, ofClient: 2 });
    connect('a1', 'a2');
    begin('a1', false);
    begin('a2', false);
    connect('a3');
    expect(ended).toEqual(['a1']);
  });

  test('a port that is used again does not count twice', () => {
    const { connect, socket, ended, connections } = open({ all: 100, ofClient: 2 });
    connect('a1');
    const first = socket('a1');
    connect('a1', 'a2');
    first.emit('close');
    expect([connections.size, ended]).toEqual([2, []]);
  });
});

describe('without room', () => {
  test('the oldest idle unproven connection of the client with most ends', () => {
    const { connect, prove, ended } = open({ all: 5, ofClient: 4 });
    connect('b1', 'a1', 'a2', 'a3', 'a4');
    prove('a1', 'a2');
    connect('c1');
    expect(ended).toEqual(['a3']);
  });

  test('without one, the connection of the client with most that was idle for the longest time ends', () => {
    const { connect, prove, ended } = open({ all: 4, ofClient: 3 });
    connect('b1', 'a1', 'a2', 'a3');
    prove('b1', 'a2', 'a1', 'a3');
    connect('c1');
    expect(ended).toEqual(['a2']);
  });

  test('clients that keep all their connections busy give one up to a client with fewer', () => {
    const { connect, begin, prove, ended } = open({ all: 8, ofClient: 3 });
    // The idle connections of d remain: a and b have more.
    connect('a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'd1', 'd2');
    prove('d1', 'd2');
    for (const name of ['b1', 'a1', 'a2', 'a3', 'b2', 'b3']) begin(name);
    connect('c1');
    expect(ended).toEqual(['a1']);
    begin('c1');
    // The client that lost a connection does not get it back from one with fewer.
    connect('a4');
    expect(ended).toEqual(['a1', 'b1']);
  });

  test('also if all their connections are proven', () => {
    const { connect, begin, prove, ended } = open({ all: 3, ofClient: 3 });
    connect('a1', 'a2', 'b1');
    prove('a1', 'a2', 'b1');
    for (const name of ['a2', 'a1', 'b1']) begin(name);
    connect('c1');
    expect(ended).toEqual(['a2']);
  });

  test('a client with many takes no place of one with fewer', () => {
    const { connect, begin, prove, ended } = open({ all: 4, ofClient: 3 });
    connect('b1', 'a1', 'a2', 'c1');
    prove('b1', 'a1', 'a2');
    begin('a1');
    begin('a2');
    connect('a3');
    expect(ended).toEqual(['a3']);
    prove('c1');
    connect('b2');
    expect(ended).toEqual(['a3', 'b1']);
  });
});

test.each([
  ['10.1.2.3', '10.1.2.3'], ['::ffff:10.1.2.3', '10.1.2.3'], ['fd00:0:0:1:a:b:c:d', 'fd00:0:0:1::/64'], ['fd00:0:0:1::7', 'fd00:0:0:1::/64'], ['fd00::1:0:0:0:1', 'fd00:0:0:1::/64'], ['fd00::1', 'fd00:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'], ['::1', '0:0:0:0::/64'], ['::', '0:0:0:0::/64'], [undefined, ''],
])('the network of %s is %s', (remoteAddress, network) => expect(networkOf({ remoteAddress })).toBe(network));

test.each([['10.1.2.3', '10.1.2.3'], ['::ffff:10.1.2.3', '10.1.2.3'], ['fd00::1', 'fd00::1'], [undefined, '']])('the address of %s is %s', (remoteAddress, address) => {
  expect(addressOf({ remoteAddress })).toBe(address);
});

describe('one request at a time', () => {
  let server: Server;
  let seen: ServerResponse[];
  let parsed: number;

  async function start(listener: RequestListener): Promise<void> {
    parsed = 0;
    server = createServer({
      IncomingMessage: class extends IncomingMessage {
        constructor(socket: Socket) {
          super(socket);
          parsed++;
        }
      },
    });
    seen = [];
    new InboundConnections(UNLIMITED).serve(server, (request, response) => {
      seen.push(response);
      listener(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Sends text on a new connection; resolves when the server ends it. */
  async function untilEnded(text: string): Promise<void> {
    const socket = connectTo((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {}).resume();
    socket.write(text);
    await once(socket, 'close');
  }

  test.each([
    ['requests', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['requests without Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['requests that expect something', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n'],
    ['requests that expect to continue', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n'],
  ])('%s in one write: the connection ends, and only the first is answered', async (_, request) => {
    // A body larger than the buffers of a connection.
    await start((_request, response) => void response.end(Buffer.alloc(16 * 1024 * 1024)));
    const first = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    await untilEnded(first + request.repeat(1_000));
    expect(seen.length).toBe(1);
    // The others are not even parsed.
    expect(parsed).toBeLessThan(5);
  });

  test('one after the other: the connection stays', async () => {
    await start((_request, response) => void response.end('x'.repeat(100_000)));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    for (let number = 0; number < 100; number++) {
      const [response] = await once(get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent }), 'response') as [IncomingMessage];
      ports.add(response.socket.localPort);
      await once(response.resume(), 'end');
    }
    expect([ports.size, seen.length]).toEqual([1, 100]);
    agent.destroy();
  });
});
