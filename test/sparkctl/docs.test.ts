import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/sparkctl/commands';
import { sparkctl } from './helpers';

const page = readFileSync(join(__dirname, '../../docs/sparkctl.md'), 'utf8');

test.each([[[]], ...COMMANDS.map(({ name }) => [[name]])])('docs/sparkctl.md has the help of sparkctl %j', async (command) => {
  const { stdout } = await sparkctl([...command, '--help']);
  expect(page).toContain(`$ ${['sparkctl', ...command, '--help'].join(' ')}\n${stdout}`);
});
