import { get, SOON, tryKubectl, watchObject } from './kubectl';

/** Waits until a SparkConnect fits; when it does not, the error reports its status. */
export async function waitForConnect(namespace: string, name: string, fits: (status: any, metadata: any) => boolean, seconds = SOON): Promise<any> {
  const found = await watchObject(namespace, 'sparkconnect', name, (connect) => (fits(connect.status ?? {}, connect.metadata) ? connect : undefined), seconds);
  const current = await get(namespace, 'sparkconnect', name);
  // The current object decides, not what kubectl has printed of it.
  if (found || fits(current.status ?? {}, current.metadata)) return found ?? current;
  const commands = [
    ['get', 'events', '-n', namespace, '--field-selector', `involvedObject.name=${name}`],
    ['describe', 'pods', '-n', namespace, '-l', `sparkoperator.k8s.io/connect-name=${name}`],
    ['logs', '-n', namespace, '-l', `sparkoperator.k8s.io/connect-name=${name}`, '--all-containers', '--prefix', '--tail=60', '--ignore-errors'],
  ];
  const results = await Promise.all(commands.map((args) => tryKubectl(args)));
  throw new Error([`${name} did not get there in ${seconds} s; its status is ${JSON.stringify(current.status)}`, ...results.map(({ stdout, stderr }) => stdout + stderr)].join('\n'));
}
