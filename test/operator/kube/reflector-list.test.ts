/* A list that cannot be read, or not to its end. */
import { ApiError } from '../../../src/operator/kube/errors';
import type { ListWatcher } from '../../../src/operator/kube/reflector';
import { type FakeApiServer, isList, type SeenRequest, status } from './helpers/fake-api-server';
import { ReflectorWorld } from './helpers/reflector-world';
import { thing } from './helpers/things';

let world: ReflectorWorld;
let server: FakeApiServer;

beforeEach(async () => {
  world = await ReflectorWorld.start();
  ({ server } = world);
});

afterEach(() => world.stop());

describe('a list whose continue token expires', () => {
  const isContinued = (request: SeenRequest) => isList(request) && request.query.has('continue');

  beforeEach(() => ['a', 'b', 'c'].forEach((name) => server.put(thing(name))));

  test('is begun again', async () => {
    server.fail(isContinued, status(410, 'Expired'));
    const { reflector, names } = world.newReflector({ pageSize: 2 });
    await world.follow(reflector);
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(world.kinds()).toEqual(['list', 'list', 'list', 'list', 'watch 13']);
  });

  test('twice is read in one piece', async () => {
    server.fail(isContinued, status(410, 'Expired'));
    server.fail(isContinued, status(410, 'Expired'));
    const { reflector, names, errors } = world.newReflector({ pageSize: 2 });
    await world.follow(reflector);
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(server.requests.at(-2)!.query.get('limit')).toBeNull();
    expect(errors.length).toBe(2);
  });
});

describe('a client that cannot list', () => {
  test('does not end the reflector', async () => {
    const call = { verb: 'list', resource: 'things' };
    const listPage = jest.fn().mockRejectedValue(new ApiError(call, 403));
    const client = { listPage, watch: jest.fn() } as unknown as ListWatcher;
    const { reflector, errors } = world.newReflector({ client });
    reflector.start();
    for (let i = 0; i < 20; i++) await world.passBackoff();
    expect(errors.length).toBeGreaterThanOrEqual(20);
    expect(errors[0]).toBe('list things: 403 Forbidden');
  });
});
