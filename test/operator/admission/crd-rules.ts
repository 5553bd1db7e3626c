/* What the CRDs say in CEL, each with an example that breaks it: from the cases that a test sends to the API server, too. */
import { SCHEDULED_SPARK_APPLICATION } from '../../../src/api/scheduled-spark-application';
import { SPARK_APPLICATION } from '../../../src/api/spark-application';
import { SPARK_CONNECT } from '../../../src/api/spark-connect';
import { DENIED_SPARK_CONF } from '../../../src/api/denied-conf';
import { schemaOfKind } from '../../../src/rules/schemas';
import type { Schema } from '../../../src/rules/schema';
import { violations } from '../../../src/rules/validate';
import { problemText } from '../../../src/model/problem';
import { MINIMAL } from '../../rules/case';
import { CASES } from '../../rules/cases';
import type { Rule } from './rules';
import { objectOf, type Kind } from './validate/questions';

const SCHEMAS: { readonly [kind in Kind]: Schema } = {
  SparkApplication: schemaOfKind(SPARK_APPLICATION), ScheduledSparkApplication: schemaOfKind(SCHEDULED_SPARK_APPLICATION), SparkConnect: schemaOfKind(SPARK_CONNECT),
};

const conf = (key: string) => ({ sparkConf: { [key]: 'x' } });
const dynamic = (dynamicAllocation: object) => ({ dynamicAllocation: { enabled: true, ...dynamicAllocation } });
const named = (length: number) => ({ metadata: { name: 'n'.repeat(length) } });

/** Examples of each kind. */
const EXAMPLES: { readonly [kind in Kind]: readonly object[] } = {
  SparkApplication: [named(64), ...CASES.filter(({ refused, onlyAtSynth }) => refused !== undefined && !onlyAtSynth).map(({ spec }) => changesIn(spec))],
  ScheduledSparkApplication: [named(64), { schedule: 'at night' }, { timeZone: 'Europe Berlin' }],
  SparkConnect: [
    named(57), { metadata: { name: 'team.notebooks' } }, ...DENIED_SPARK_CONF.map(({ key }) => conf(key)),
    { server: { memory: '4Gi' } }, { executor: { memory: 'lots' } }, { server: { service: { metadata: { name: 'Connect' } } } },
    dynamic({ minExecutors: 2, maxExecutors: 1 }), dynamic({ minExecutors: 2, initialExecutors: 1 }),
    dynamic({ initialExecutors: 3, maxExecutors: 2 }), dynamic({ maxExecutors: 0 }),
  ],
};

/** What a case says besides the least. */
function changesIn(spec: object): object {
  return Object.fromEntries(Object.entries(spec).filter(([field, value]) => value !== (MINIMAL as any)[field]));
}

/** Each CEL rule of a schema by the end of its path, and what it says. Where one kind has another in it, the rules are those of the other. */
function rulesIn(schema: Schema, path: string): { readonly path: string; readonly message: string }[] {
  return [
    ...(schema['x-kubernetes-validations'] ?? []).map(({ message }) => ({ path, message })),
    ...Object.entries(schema.properties ?? {}).filter(([name]) => !(path === 'spec' && name === 'template')).flatMap(([name, inner]) => rulesIn(inner, path ? `${path}.${name}` : name)),
    ...(schema.items ? rulesIn(schema.items, `${path}[]`) : []),
    ...(schema.additionalProperties ? rulesIn(schema.additionalProperties, `${path}[]`) : []),
  ];
}

/** What the API server says of an example that breaks a rule. */
function refusals(kind: Kind, change: object): { readonly path: string; readonly reason: string; readonly text: string }[] {
  return violations(SCHEMAS[kind], objectOf(kind, change), '').map((violation) => ({ ...violation, path: violation.path.replace(/^\./, '') }))
    .map((violation) => ({ path: violation.path.replace(/\[[0-9]+\]/g, '[]'), reason: violation.reason, text: problemText(violation) }));
}

/** All rules of the CRDs in CEL; one without an example has no `change`. */
export const CRD_RULES: readonly (Omit<Rule, 'change'> & { readonly change: object | undefined })[] = (Object.keys(SCHEMAS) as Kind[]).flatMap((kind) => (
  rulesIn(SCHEMAS[kind], '').map(({ path, message }) => {
    const isThis = (refusal: { readonly path: string; readonly reason: string }) => refusal.path === path && refusal.reason === message;
    const [found] = EXAMPLES[kind].flatMap((change) => refusals(kind, change).filter(isThis).map(({ text }) => ({ change, text })));
    return { rule: `${path || 'metadata'} ${message}`, kind, layer: 'CRD' as const, change: found?.change, message: found?.text ?? message };
  })
));
