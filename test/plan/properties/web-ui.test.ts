import { application, CONTEXT, planOf, type Changes } from '../application';
import { ingressUrl, urlText } from '../../../src/plan/properties/ingress-url';
import { planSparkSubmit } from '../../../src/plan/plan';
import { prepareSubmission } from '../../../src/plan/prepare';
import { sparkProperties } from '../../../src/plan/properties/properties';
import { problemText } from '../../../src/model/problem';
import { hasWebUI, webUIPort } from '../../../src/plan/properties/web-ui';

const VARIABLES = { appName: 'pi', appNamespace: 'jobs', appId: 'spark-1' };

describe('the URL of an application', () => {
  test.each<[format: string, host: string, path: string, text: string]>([
    ['{{$appName}}.example.org', 'pi.example.org', '', 'http://pi.example.org'],
    ['example.org/{{$appNamespace}}/{{$appName}}', 'example.org', '/jobs/pi', 'http://example.org/jobs/pi'],
    ['https://example.org:8443/{{ $appId }}/', 'example.org', '/spark-1', 'https://example.org:8443/spark-1'],
    ['HTTP://{{$appName}}.example.org/?a=b#c', 'pi.example.org', '', 'http://pi.example.org'],
    ['/ui/{{$appName}}', '', '/ui/pi', '/ui/pi'],
    ['example.org/{{$unknown}}', 'example.org', '/{{$unknown}}', 'http://example.org/{{$unknown}}'],
  ])('%s', (format, host, path, text) => {
    const url = ingressUrl(format, VARIABLES);

    expect([url.host, url.path, urlText(url, 'http')]).toEqual([host, path, text]);
  });

  test('is https by default if there is TLS', () => {
    expect(urlText(ingressUrl('example.org/a', VARIABLES), 'https')).toBe('https://example.org/a');
    expect(urlText(ingressUrl('http://example.org/a', VARIABLES), 'https')).toBe('http://example.org/a');
  });
});

test.each<[sparkConf: { [key: string]: string } | undefined, has: boolean, port: number]>([
  [undefined, true, 4040],
  [{ 'spark.ui.port': ' 4041 ' }, true, 4041],
  [{ 'spark.ui.port': '0' }, true, 0],
  [{ 'spark.ui.port': '${env:PORT}' }, true, 4040],
  [{ 'spark.ui.enabled': ' FALSE ' }, false, 4040],
  [{ 'spark.ui.enabled': 'true' }, true, 4040],
])('the web UI by sparkConf %j', (sparkConf, has, port) => {
  expect([hasWebUI(sparkConf), webUIPort(sparkConf)]).toEqual([has, port]);
});

describe('properties for a path', () => {
  const proxyOf = (webUIUrlFormat: string | undefined, changes: Changes = {}) => {
    const { properties } = sparkProperties(application(changes), { ...CONTEXT, webUIUrlFormat });
    return [properties.get('spark.ui.proxyBase'), properties.get('spark.ui.proxyRedirectUri')];
  };

  test.each<[string, string | undefined, Changes, (string | undefined)[]]>([
    ['a path', 'example.org/{{$appNamespace}}/{{$appName}}', {}, ['/jobs/pi', '/']],
    ['the id in the path', 'example.org/{{$appId}}', {}, ['/spark-0c5a9c4e6d0c4f0e9d540a4f1f6f4f11', '/']],
    ['a host of its own', '{{$appName}}.example.org/', {}, [undefined, undefined]],
    ['no URL', undefined, {}, [undefined, undefined]],
    ['no web UI', 'example.org/{{$appName}}', { spec: { sparkConf: { 'spark.ui.enabled': 'false' } } }, [undefined, undefined]],
    ['what the application says itself', 'example.org/{{$appName}}', {
      spec: { sparkConf: { 'spark.ui.proxyBase': '/mine' } },
    }, ['/mine', '/']],
  ])('%s', (_, format, changes, expected) => {
    expect(proxyOf(format, changes)).toEqual(expected);
  });

  test('the properties reach the driver, with its ID', () => {
    const { configMap, driver } = planOf(application(), { ...CONTEXT, webUIUrlFormat: 'example.org/{{$appId}}' });

    expect(configMap.data['spark.properties']).toContain(`spark.ui.proxyBase=/${driver.metadata.labels!['spark-app-selector']}`);
  });

  test('spark-submit chooses the id itself: a path with it in it is warned of', () => {
    const warnings = (webUIUrlFormat: string) => planSparkSubmit(prepareSubmission(application(), { ...CONTEXT, webUIUrlFormat })).warnings.map(problemText);

    expect(warnings('example.org/{{$appId}}')).toEqual([
      expect.stringMatching(/^spec\.sparkConf\[spark\.ui\.proxyBase\] is unknown for an application that spark-submit submits/),
    ]);
    expect(warnings('example.org/{{$appName}}')).toEqual([]);
  });
});
