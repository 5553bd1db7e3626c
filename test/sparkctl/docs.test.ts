import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/sparkctl/commands';
import { propsOf } from '../../src/constructs/install/values-file';
import { sparkctl } from './helpers';

const page = readFileSync(join(__dirname, '../../docs/reference/sparkctl.md'), 'utf8');

test.each([[[]], ...COMMANDS.map(({ name }) => [[name]])])('docs/reference/sparkctl.md contains the help of sparkctl %j', async (command) => {
  const { stdout } = await sparkctl([...command, '--help']);
  expect(page).toContain(`$ ${['sparkctl', ...command, '--help'].join(' ')}\n${stdout}`);
});

test('the values file in docs/operate/install.md is valid', () => {
  const [, content] = /```yaml\n([^]*?)```/.exec(readFileSync(join(__dirname, '../../docs/operate/install.md'), 'utf8'))!;
  expect(propsOf({}, { name: 'operator.yaml', content: content! })).toMatchObject({ jobNamespaces: ['team-a', 'team-b'] });
});
