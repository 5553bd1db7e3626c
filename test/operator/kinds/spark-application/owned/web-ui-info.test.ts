import { application, ownedWorld, SETTINGS } from './helpers';
import { error, lost } from '../../../owned/calls';
import { SERVICES } from '../../../../../src/model/resources';

const URL = { ...SETTINGS, ingress: { urlFormat: '{{$appName}}.example.org' } };

const world = ownedWorld();
const { operator } = world;

describe('the fields of the status about the web UI stay while its objects are unknown', () => {
  const said = {
    webUIServiceName: 'pi-ui-svc',
    webUIPort: 4040,
    webUIAddress: '10.0.0.7:4040',
    webUIIngressName: 'pi-ui-ingress',
    webUIIngressAddress: 'http://pi.example.org',
  };
  const running = application({ status: { driverInfo: { podName: 'pi-driver', ...said } } });

  test('when a new operator gets no answer', async () => {
    world.calls.refuse = () => { throw lost(); };
    expect((await operator(URL).converge(running)).webUI).toEqual(said);
  });

  test.each([['services'], ['ingresses'], ['']])('when the operator cannot list %s', async (plural) => {
    await operator(URL).converge(application());
    world.calls.refuse = (call) => { if (call.startsWith(`list ${plural}`)) throw error('list', { plural }, {}, 403, 'Forbidden'); };
    expect((await operator(URL).converge(running)).webUI).toEqual(said);
  });

  test('but not fields about another object', async () => {
    world.calls.refuse = (call) => { if (call.startsWith('list')) throw error('list', SERVICES, {}, 403, 'Forbidden'); };
    const { webUI } = await operator({ ...URL, ingress: { ...URL.ingress, gateways: [{ name: 'public' }] } }).converge(running);
    expect(webUI).toEqual({ webUIServiceName: 'pi-ui-svc', webUIPort: 4040, webUIAddress: '10.0.0.7:4040' });
  });
});
