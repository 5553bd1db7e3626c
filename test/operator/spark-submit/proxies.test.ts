import { proxyOptions } from '../../../src/operator/spark-submit/proxies';

test('Java is told the proxies of the environment, and what is reached without one', () => {
  expect(proxyOptions({ HTTPS_PROXY: 'http://proxy.example.org:3128', NO_PROXY: '10.0.0.1, .internal.example.org,10.0.0.0/8' })).toEqual([
    '-Dhttps.proxyHost=proxy.example.org', '-Dhttps.proxyPort=3128', '-Dhttp.nonProxyHosts=localhost|127.*|[::1]|10.0.0.1|internal.example.org|*.internal.example.org',
  ]);
});

test.each([
  ['https://proxy.example.org:443', '443'], ['https://proxy.example.org', '443'], ['https://proxy.example.org:80', '80'], ['http://proxy.example.org:80', '80'], ['http://proxy.example.org:443', '443'],
])('%s has the port %s', (proxy, port) => {
  expect(proxyOptions({ HTTPS_PROXY: proxy })).toContain(`-Dhttps.proxyPort=${port}`);
});

test.each([[{}], [{ NO_PROXY: 'a' }], [{ HTTPS_PROXY: '' }], [{ HTTPS_PROXY: 'proxy' }]])('nothing for %j', (environment) => {
  expect(proxyOptions(environment)).toEqual([]);
});
