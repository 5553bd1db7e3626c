import { copyOf, freeAddresses } from '../../../tools/bench/population/copies.ts';

const UID = '11111111-2222-3333-4444-555555555555';
const RUN = 'spark-0123456789abcdef0123456789abcdef';

test('a copy of an application has names and ids of its own, all of the same length, in whatever encoding', () => {
  const entries = [
    { key: '/registry/pods/a/bench-000001-driver', value: Buffer.from([0xff, 0x80, ...Buffer.from(`bench-000001-driver ${UID} ${RUN} simulated-001`), 0xfe]) },
    { key: '/registry/pods/a/bench-000001-11111111-exec-2', value: Buffer.from(`bench-000001-11111111-exec-2 ${UID} simulated-002`) },
    { key: '/registry/endpointslices/a/bench-000001-driver-svc-x7k2p', value: Buffer.from('bench-000001-driver simulated-001') },
    { key: '/registry/ipaddresses/198.19.12.123', value: Buffer.from('198.19.12.123 bench-000001-ui-svc') },
  ];
  let uuids = 0;
  let nodes = 7;
  const copies = copyOf(entries, 'bench-000001', 'bench-000042', {
    uuid: () => `aaaaaaaa-0000-0000-0000-00000000000${uuids++}`, node: () => `simulated-00${nodes++}`, address: () => '198.19.99.254',
  });
  expect(copies.map(({ key }) => key)).toEqual([
    '/registry/pods/a/bench-000042-driver', '/registry/pods/a/bench-000042-aaaaaaaa-exec-2', '/registry/endpointslices/a/bench-000042-driver-svc-x7k2p',
    '/registry/ipaddresses/198.19.99.254',
  ]);
  expect(copies[0]!.value).toEqual(Buffer.from([
    0xff, 0x80, ...Buffer.from('bench-000042-driver aaaaaaaa-0000-0000-0000-000000000000 spark-aaaaaaaa000000000000000000000001 simulated-007'), 0xfe,
  ]));
  expect(copies[1]!.value.toString()).toBe('bench-000042-aaaaaaaa-exec-2 aaaaaaaa-0000-0000-0000-000000000000 simulated-008');
  expect(copies[2]!.value.toString()).toBe('bench-000042-driver simulated-007');
  expect(copies[3]!.value.toString()).toBe('198.19.99.254 bench-000042-ui-svc');
  expect(copies.map(({ value }) => value.length)).toEqual(entries.map(({ value }) => value.length));
});

test('addresses that nobody has, enough for ten thousand applications', () => {
  const free = [...freeAddresses(new Set(['198.19.99.253']))];
  expect(free.slice(0, 2)).toEqual(['198.19.99.254', '198.19.99.252']);
  expect(new Set(free).size).toBeGreaterThan(13_000);
  expect(free.every((address) => address.length === 13)).toBe(true);
});
