import { storeAndApi } from '../../tools/local-cluster/cluster/components.ts';
import { clusterPaths } from '../../tools/local-cluster/paths.ts';
import { isFirstApiServer, secondCommand } from '../api/helpers/second-api-server';

const components = storeAndApi(clusterPaths('test', '/cache'), { audit: true });
const first = components.find(({ name }) => name === 'kube-apiserver')!.command;

test('of the API servers that run, that of the cluster is the first one, and those of tests are not', () => {
  expect(isFirstApiServer(first)).toBe(true);
  expect(isFirstApiServer(secondCommand(first, 6444))).toBe(false);
  expect(isFirstApiServer(secondCommand(first, 16444, '/of-another-test'))).toBe(false);
  expect(isFirstApiServer(components.find(({ name }) => name === 'etcd')!.command)).toBe(false);
  expect(isFirstApiServer([])).toBe(false);
});

test('a second one has what the first one has, unless it is to have objects of its own', () => {
  expect(secondCommand(first, 6444)).toEqual(expect.arrayContaining(['--etcd-servers=http://127.0.0.1:2379', '--secure-port=6444', '--bind-address=127.0.0.1']));
  expect(secondCommand(first, 6444).join(' ')).not.toMatch(/etcd-prefix|audit/);
  expect(secondCommand(first, 6444, '/fresh')).toContain('--etcd-prefix=/fresh');
});
