import { UsageError } from '../../src/text/usage-error';
import { portRangeOf } from '../../src/sparkctl/port-range';

test('one port, or a range of them', () => {
  expect(portRangeOf('spark-ui-port', '8081')).toEqual({ first: 8081, last: 8081 });
  expect(portRangeOf('spark-ui-port', '8081-8084')).toEqual({ first: 8081, last: 8084 });
});

test.each(['', '0', '8084-8081', '1-65536', '80a', '1-2-3'])('%j is refused, with an example', (text) => {
  expect(() => portRangeOf('spark-ui-port', text)).toThrow(new UsageError(`--spark-ui-port=${text}: write a port from 1 to 65535, or two with a dash between them, such as 8081-8084`));
});
