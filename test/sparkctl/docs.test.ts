import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/sparkctl/commands';
import { propsOf } from '../../src/constructs/install/values-file';
import { sparkctl } from './helpers';

const read = (path: string) => readFileSync(join(__dirname, '../../docs', path), 'utf8');

test.each(COMMANDS)('docs/reference/sparkctl/$name.md contains the help of the command', async ({ name }) => {
  const { stdout } = await sparkctl([name, '--help']);
  expect(read(`reference/sparkctl/${name}.md`)).toContain(`$ sparkctl ${name} --help\n${stdout}`);
});

test('docs/reference/sparkctl/README.md has a row for each command, in the order of sparkctl --help', () => {
  const rows = [...read('reference/sparkctl/README.md').matchAll(/^\| \[(\w+)\]\(\1\.md\) \| (.*?) \|/gm)].map(([, name, summary]) => ({ name, summary }));
  expect(rows).toEqual(COMMANDS.map(({ name, aliases, summary }) => ({ name, summary: aliases ? `${summary} (or: ${aliases.join(', ')})` : summary })));
});

test('the values file in docs/operate/install.md is valid', () => {
  const [, content] = /```yaml\n([^]*?)```/.exec(read('operate/install.md'))!;
  expect(propsOf({}, { name: 'operator.yaml', content: content! })).toMatchObject({ jobNamespaces: ['team-a', 'team-b'] });
});
