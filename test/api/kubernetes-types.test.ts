import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiServer } from '../helpers/api-server';
import { ROOTS } from '../../tools/kubernetes-types/roots';
import { structsFile } from '../../tools/kubernetes-types/structs';

const api = new ApiServer();
afterAll(() => api.close());

test('src/k8s is what `npm run generate:kubernetes` makes of this API server', async () => {
  const file = readFileSync(join(__dirname, '../../src/k8s/index.ts'), 'utf8');

  expect(structsFile(await api.must('GET', '/openapi/v2'), ROOTS)).toBe(file);
});
