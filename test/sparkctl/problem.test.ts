/* Causes and remedies in the messages of failed calls. */
import { ApiError, type Call } from '../../src/kube/errors';
import { problemText } from '../../src/sparkctl/problem';

test('a cluster without the CRDs, which answers a list with plain text', () => {
  const error = new ApiError({ verb: 'list', resource: 'sparkapplications', namespace: 'default' }, 404, {});
  expect(problemText(error)).toMatch(/^list sparkapplications default\/\*: 404 NotFound; .*`sparkctl install` installs them$/);
});

test('a cluster without the CRDs, which also answers for one object with plain text', () => {
  const error = new ApiError({ verb: 'get', resource: 'sparkapplications', namespace: 'default', name: 'pi' }, 404, {});
  expect(problemText(error)).toBe('get sparkapplications default/pi: 404 NotFound; the cluster does not know this kind: `sparkctl doctor` lists missing CRDs, and `sparkctl install` installs them');
});

test('a name that another object has', () => {
  const taken = (resource: string) => problemText(new ApiError({ verb: 'create', resource, namespace: 'jobs', name: 'pi' }, 409, {
    reason: 'AlreadyExists', message: `${resource} "pi" already exists`,
  }));
  expect(taken('sparkapplications')).toBe('SparkApplication jobs/pi already exists; choose another name, or delete it with `sparkctl delete pi -n jobs`');
  expect(taken('sparkconnects')).toBe('SparkConnect jobs/pi already exists; choose another name, or delete it with `sparkctl delete connect/pi -n jobs`');
  expect(taken('pods')).toBe('create pods jobs/pi: 409 AlreadyExists: pods "pi" already exists');
});

describe('a refusal', () => {
  const refused = (message: string, call: Partial<Call> = {}) => (
    problemText(new ApiError({ verb: 'patch', resource: 'sparkapplications', namespace: 'etl', name: 'pi', ...call }, 403, { message }))
  );
  const user = 'system:serviceaccount:etl:poor';

  test('by RBAC begins with the cause, and names the object and the permission once', () => {
    const message = `sparkapplications.sparkoperator.k8s.io "pi" is forbidden: User "${user}" cannot patch resource "sparkapplications" in API group "sparkoperator.k8s.io" in the namespace "etl"`;
    expect(refused(message)).toBe('you cannot patch sparkapplications in etl; '
      + `ask for the permission that \`kubectl auth can-i patch sparkapplications -n etl\` checks (403 Forbidden for ${user})`);
  });

  test('of an apply that creates: the missing verb is that of the server', () => {
    expect(refused(`User "${user}" cannot create resource "sparkapplications"`)).toMatch(/^you cannot create .*can-i create sparkapplications /);
  });

  test('in all namespaces, and of a subresource: the command checks exactly that', () => {
    const list = refused(`pods is forbidden: User "${user}" cannot list resource "pods" in API group "" at the cluster scope`, { verb: 'list', resource: 'pods', namespace: undefined, name: undefined });
    expect(list).toMatch(/^you cannot list pods at the cluster scope; .*`kubectl auth can-i list pods -A`/);
    const log = refused(`pods "a" is forbidden: User "${user}" cannot get resource "pods/log" in API group "" in the namespace "etl"`, { verb: 'get', resource: 'pods/log', name: 'a' });
    expect(log).toMatch(/^you cannot get pods\/log in etl; .*`kubectl auth can-i get pods --subresource=log -n etl`/);
  });

  test.each([
    ['pods "pi-driver" is forbidden: exceeded quota: tiny, requested: pods=1', 'exceeded quota: tiny, requested: pods=1'],
    ['admission webhook "policy.example" denied the request: User "x" cannot have it', 'admission webhook "policy.example" denied the request: User "x" cannot have it'],
  ])('by a quota or a webhook needs no permission: %s', (message, cause) => {
    expect(refused(message)).toBe(`patch sparkapplications etl/pi: 403 Forbidden: ${cause}`);
  });
});
