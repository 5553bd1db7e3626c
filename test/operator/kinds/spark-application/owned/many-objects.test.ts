/*
 * Users can create objects with the operator's labels and an application as owner. The operator
 * deletes them, but no other application waits for that.
 */
import { application, ownedWorld } from './helpers';
import { error } from '../../../owned/calls';
import { ApplicationState } from '../../../../../src/api/states';
import type { Resource } from '../../../../../src/kube/resource';
import { CONFIG_MAPS, SERVICES } from '../../../../../src/model/resources';

const world = ownedWorld();
const { operator } = world;
const deletes = () => world.calls.since().filter((call) => call.startsWith('delete')).length;

function putMany(count: number, resource: Resource<any> = CONFIG_MAPS): void {
  for (let index = 0; index < count; index++) {
    world.calls.put(resource, {
      metadata: {
        name: `o-${index}`,
        uid: `uid-o-${index}`,
        labels: { 'sparkoperator.k8s.io/created-by-spark-operator': 'true', 'sparkoperator.k8s.io/app-uid': 'uid-pi' },
        ownerReferences: [
          { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid: 'uid-pi', controller: true },
        ],
      },
    });
  }
}

const ended = application({ state: ApplicationState.COMPLETED });

/**
 * Converges the ended application whenever it is requeued. Returns the deletions and the next wait
 * of each reconcile.
 */
async function passes(owned: ReturnType<typeof operator>, count: number): Promise<[number, number | undefined][]> {
  const found: [number, number | undefined][] = [];
  for (let i = 0; i < count; i++) {
    const { retryAfter } = await owned.converge(ended);
    found.push([deletes(), retryAfter]);
    world.clock.advance(retryAfter ?? 0);
  }
  return found;
}

test('a reconcile deletes 20 objects and requeues at once, until all are gone', async () => {
  putMany(45);
  const owned = operator();
  expect(await passes(owned, 3)).toEqual([[20, 0], [20, 0], [5, undefined]]);
  expect(world.calls.names()).toEqual([]);
  expect(owned.size).toBe(0);
});

test('objects beyond 50 are listed and deleted after a minute', async () => {
  putMany(120);
  const fifty = [[20, 0], [20, 0], [10, 60_000]];
  expect(await passes(operator(), 9)).toEqual([...fifty, ...fifty, [20, undefined], [0, undefined], [0, undefined]]);
  expect(world.calls.names()).toEqual([]);
});

test('wanted objects are created in the first reconcile', async () => {
  putMany(45, SERVICES);
  const { webUI, retryAfter } = await operator().converge(application());
  expect([webUI.webUIServiceName, retryAfter]).toEqual(['pi-ui-svc', 0]);
});

test('objects that cannot be deleted do not prevent the deletion of others', async () => {
  putMany(30);
  world.calls.refuse = (call) => {
    const [verb, , name] = call.split(' ');
    if (verb === 'delete' && Number(name!.slice(2)) < 20) throw error('delete', CONFIG_MAPS, { name }, 403, 'Forbidden');
  };
  const owned = operator();
  expect((await owned.converge(ended)).retryAfter).toBe(0);
  await owned.converge(ended);
  expect(world.calls.names()).toHaveLength(20);
});

test('an object that is too large to keep is read, and written if it differs from the wanted one', async () => {
  await operator().converge(application());
  const service = world.calls.objects.get('services jobs/pi-ui-svc');
  const large = world.calls.put(SERVICES, { ...service, metadata: { ...service.metadata, annotations: { a: 'x'.repeat(5_000) } } });
  world.calls.since();
  await operator().converge(application());
  expect(world.calls.sinceListed()).toEqual(['get services pi-ui-svc']);

  world.calls.put(SERVICES, { ...large, spec: { ...large.spec, selector: { other: 'pod' } } });
  await operator().converge(application());
  expect(world.calls.sinceListed()).toEqual(['get services pi-ui-svc', 'update services pi-ui-svc']);
  expect(world.calls.objects.get('services jobs/pi-ui-svc')).toMatchObject({
    metadata: { annotations: large.metadata.annotations }, spec: { selector: service.spec.selector },
  });
});
