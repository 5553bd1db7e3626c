import { readConnections } from './connections';

const FILES = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 0100007F:A001 01 00000000:00000000 00:00000000 00000000   185        0 1 1 0000000000000000 100 0 0 10 0
  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000000000000:1BA6 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000   185        0 2 1 0000000000000000 100 0 0 10 0
   1: 0000000000000000FFFF00000500F40A:1BA6 0000000000000000FFFF00000600F40A:B3C4 01 00000000:00000000 00:00000000 00000000   185        0 3 1 0000000000000000 20 4 30 10 -1
   2: 0000000000000000FFFF00000500F40A:C350 0000000000000000FFFF00000100600A:01BB 01 00000000:00000000 00:00000000 00000000   185        0 4 1 0000000000000000 20 4 30 10 -1
   3: 0000000000000000FFFF00000500F40A:C351 0000000000000000FFFF00000100600A:01BB 06 00000000:00000000 00:00000000 00000000   185        0 5 1 0000000000000000 20 4 30 10 -1
`;

test('the listening port shows who opened a connection; closing connections and those within the pod are left out', () => {
  expect(readConnections(FILES)).toEqual([
    { from: '10.244.0.6', to: '10.244.0.5', port: 7078 },
    { from: '10.244.0.5', to: '10.96.0.1', port: 443 },
  ]);
});
