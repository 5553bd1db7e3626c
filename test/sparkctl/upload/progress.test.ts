import { bytesText, uploadDisplay, uploadLine } from '../../../src/sparkctl/upload/progress';

test.each([[0, '0 B'], [1023, '1023 B'], [1024, '1.0 KiB'], [12.34 * 1024 ** 2, '12.3 MiB'], [3 * 1024 ** 4, '3.0 TiB']])('%d bytes', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test('the line fits the terminal, and shows the end of a long path', () => {
  expect(uploadLine('jobs/etl.jar', 512 * 1024, 1024 * 1024)).toBe('uploading jobs/etl.jar 50% (512.0 KiB of 1.0 MiB)');
  const line = uploadLine(`/very/${'long/'.repeat(20)}etl.jar`, 5, 10, 60);
  expect(line).toMatch(/^uploading ….*\/etl\.jar 50% \(5 B of 10 B\)$/);
  expect(line.length).toBeLessThan(60);
  expect(uploadLine('a\x1b[2J.jar', 0, 0)).toBe('uploading a\\u001b[2J.jar 100% (0 B of 0 B)');
});

test('redraws at a limited rate on a terminal; prints only the outcome elsewhere', () => {
  const output = { stdout: '', stderr: '' };
  const io = { stdout: (text: string) => { output.stdout += text; }, stderr: (text: string) => { output.stderr += text; } };
  let now = 0;
  const live = uploadDisplay('a.jar', 100, io, { isTerminal: true, columns: 80, colour: true }, () => now);
  for (now = 0; now < 300; now += 10) live.sent(now / 3);
  live.end('a.jar uploaded');
  expect(output.stdout.match(/uploading/g)).toHaveLength(3);
  expect(output).toEqual({ stdout: expect.stringMatching(/\r\x1b\[K$/), stderr: 'a.jar uploaded\n' }); // eslint-disable-line no-control-regex

  output.stdout = '';
  const plain = uploadDisplay('a.jar', 100, io, { isTerminal: false, colour: false }, () => now);
  plain.sent(50);
  plain.end();
  expect(output.stdout).toBe('');
});
