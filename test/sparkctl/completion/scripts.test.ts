import { scriptFor, SHELLS } from '../../../src/sparkctl/completion/scripts';
import { sparkctl } from '../helpers';

test('sparkctl completion prints the scripts', async () => {
  for (const shell of SHELLS) expect(await sparkctl(['completion', shell])).toMatchObject({ code: 0, stdout: scriptFor(shell), stderr: [] });
  expect(await sparkctl(['completion', 'zshh'])).toMatchObject({ code: 2, stderr: ['sparkctl completion: there is no script for the shell zshh; write bash, zsh, fish', expect.anything()] });
  expect(await sparkctl(['completion'])).toMatchObject({ code: 2, stderr: ['sparkctl completion: name one shell: bash, zsh, fish', expect.anything()] });
});
