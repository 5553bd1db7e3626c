import { parseCommandLine, parseForwardTarget } from '../../../tools/local-cluster/cli.ts';

test('up takes the default cluster and may install packages', () => {
  expect(parseCommandLine(['up'])).toEqual({ verb: 'up', name: 'local', controlPlane: false, oldest: false, audit: false, install: true });
});

test('up with all of its flags', () => {
  expect(parseCommandLine(['up', '--name', 'api', '--control-plane', '--oldest', '--audit', '--no-install']))
    .toEqual({ verb: 'up', name: 'api', controlPlane: true, oldest: true, audit: true, install: false });
});

test.each([
  [['exec', 'kubectl', 'get', 'pods', '-n', 'spark', '-o', 'yaml'], 'local', ['kubectl', 'get', 'pods', '-n', 'spark', '-o', 'yaml']],
  [['exec', '--name', 'e2e', 'kubectl', 'get', 'pods', '--name', 'x'], 'e2e', ['kubectl', 'get', 'pods', '--name', 'x']],
  [['exec', '--name=e2e', '--', 'ls', '--', '-l'], 'e2e', ['ls', '--', '-l']],
  [['exec', 'kubectl', '--help'], 'local', ['kubectl', '--help']],
])('exec passes on what belongs to the command: %j', (argv, name, command) => {
  expect(parseCommandLine(argv)).toEqual({ verb: 'exec', name, command });
});

test('forward', () => {
  expect(parseCommandLine(['forward', '8080', 'spark/pi-driver:4040'])).toEqual({
    verb: 'forward', name: 'local', localPort: 8080, target: { namespace: 'spark', resource: 'pi-driver', port: 4040 },
  });
});

test.each([[[]], [['help']], [['--help']]])('%j asks for help', (argv) => {
  expect(parseCommandLine(argv)).toEqual({ verb: 'help' });
});

test.each([
  [['start'], 'there is no command "start"'],
  [['up', '--control-plain'], "up: Unknown option '--control-plain'"],
  [['up', '--name', 'Local'], '"Local" is not a name for a cluster'],
  [['exec'], 'exec: the command is missing'],
  [['exec', '--name', '', 'ls'], '"" is not a name for a cluster'],
  [['status', '--output', 'yaml'], 'status: --output is text or json, not "yaml"'],
  [['forward', '80800', 'spark/pi:4040'], 'forward: "80800" is not a port'],
])('%j is refused', (argv, message) => {
  expect(() => parseCommandLine(argv)).toThrow(message);
});

test.each(['pi:4040', 'spark/pi', 'spark/pi:http', 'a/b/c:1'])('%s is no target of forward', (text) => {
  expect(() => parseForwardTarget(text)).toThrow(`"${text}" is not a target`);
});
