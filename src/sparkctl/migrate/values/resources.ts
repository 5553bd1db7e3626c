import { propsAt, type Translate } from './translation';
import { isObject } from '../../../model/is-object';
import { parseQuantity } from '../../../rules/quantity';

const MEBIBYTE = 1_048_576n * 1_000_000_000n;

/** Translates Kubernetes' requests and limits. @param path of the prop, such as `resources` */
export function resources(path: string): Translate {
  return (value) => {
    if (!isObject(value)) return { props: propsAt(path, value) };
    const losses: string[] = [];
    const amounts = (['requests', 'limits'] as const).flatMap((kind) => {
      const given = isObject(value[kind]) ? value[kind] : {};
      return Object.entries(given).flatMap(([name, amount]) => {
        const suffix = kind === 'requests' ? 'Request' : 'Limit';
        if (name === 'cpu') return [[`cpu${suffix}`, cores(String(amount)) ?? amount]];
        if (name === 'memory') return [[`memory${suffix}`, mebibytes(String(amount)) ?? amount]];
        losses.push(`${kind}.${name} has no prop: patch the Deployment, by ApiObject.addJsonPatch in a program`);
        return [];
      });
    });
    const memory = amounts.some(([name]) => String(name).startsWith('memory'));
    return {
      ...(amounts.length > 0 && { props: propsAt(path, Object.fromEntries(amounts)) }),
      ...(memory && { note: 'the memory was for a JVM at each submission; the default of 512Mi suffices here' }),
      ...(losses.length > 0 && { loss: losses.join('; ') }),
    };
  };
}

/** Returns the cores of an amount such as `200m`; undefined if it is none. */
function cores(amount: string): number | undefined {
  const nano = parseQuantity(amount);
  return nano === undefined ? undefined : Number(nano) / 1e9;
}

/** Returns an amount of memory in whole mebibytes, rounded up; undefined if it is none. */
function mebibytes(amount: string): string | undefined {
  const nano = parseQuantity(amount);
  return nano === undefined ? undefined : `${(nano + MEBIBYTE - 1n) / MEBIBYTE}Mi`;
}
