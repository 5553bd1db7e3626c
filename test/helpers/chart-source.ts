import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { synthesize } from '../../src/constructs/install/synthesize';
import { propsOf } from '../../src/constructs/install/values-file';
import type { KubernetesObject } from '../../tools/release/chart/cases';
import { valuesOf, type ChartSource } from '../../tools/release/chart/chart';
import { defaultsOf } from '../../tools/release/chart/values';
import type { ChartInput } from './chart-values';

const CRDS = join(__dirname, '../../crds');

/** The chart's parts from the sources of the constructs. */
export const CHART_SOURCE: ChartSource = {
  version: '1.2.3',
  synthesize: (props) => (
    synthesize(propsOf({}, { name: 'values', content: stringify(props, { version: '1.1' }) }), []).objects as unknown as KubernetesObject[]
  ),
  crds: Object.fromEntries(readdirSync(CRDS).map((file) => [file, readFileSync(join(CRDS, file), 'utf8')])),
};

/** The values of a user who sets none. */
export const CHART_DEFAULTS = defaultsOf(valuesOf(CHART_SOURCE)) as unknown as ChartInput;

/** Objects by kind, namespace and name. */
export function byName(objects: readonly unknown[]): Record<string, any> {
  return Object.fromEntries((objects as KubernetesObject[]).map((object) => (
    [`${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`, object]
  )));
}
