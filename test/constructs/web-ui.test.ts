import { WebUI } from '../../src';

const GATEWAYS = [{ namespace: 'infra', name: 'public' }];

test('flags by kind of exposure', () => {
  expect(WebUI.byService()._toFlags()).toEqual([]);
  expect(WebUI.none()._toFlags()).toEqual(['--enable-ui-service=false']);
  expect(WebUI.byIngress({
    urlFormat: '{{$appName}}.example.org', ingressClassName: 'nginx', tls: [{ hosts: ['*.example.org'], secretName: 'tls' }],
  })._toFlags()).toEqual([
    '--ingress-url-format={{$appName}}.example.org', '--ingress-class-name=nginx',
    '--ingress-tls=[{"hosts":["*.example.org"],"secretName":"tls"}]',
  ]);
  expect(WebUI.byGateway({
    urlFormat: '{{$appName}}.example.org', gateways: [...GATEWAYS, { namespace: 'infra', name: 'other', sectionName: 'https' }],
  })._toFlags()).toContain(
    '--ui-gateway=infra/public,infra/other/https',
  );
});

test.each<[string, () => WebUI, string]>([
  [
    'a misspelt variable', () => WebUI.byIngress({ urlFormat: '{{$app}}.example.org' }),
    'WebUI.byIngress: urlFormat is "{{$app}}.example.org"; "$app" is not a variable: use $appName, $appNamespace or $appId',
  ],
  [
    'one URL for all', () => WebUI.byGateway({ urlFormat: '{{$appNamespace}}.example.org', gateways: GATEWAYS }),
    'all applications would have the same URL',
  ],
  ['a space', () => WebUI.byIngress({ urlFormat: '{{$appName}} .example.org' }), 'a URL must not contain spaces'],
  ['no Gateway', () => WebUI.byGateway({ urlFormat: '{{$appName}}', gateways: [] }), 'gateways is empty'],
  [
    'an invalid Gateway', () => WebUI.byGateway({ urlFormat: '{{$appName}}', gateways: [{ namespace: 'infra', name: 'a/b' }] }),
    'gateways has "a/b", which cannot be a name',
  ],
])('%s is rejected at once', (_, make, message) => expect(make).toThrow(message));
