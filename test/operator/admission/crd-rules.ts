/*
 * The CEL rules of the CRDs, each with an example that breaks it. Another test sends the same cases
 * to the API server.
 */
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
  SparkApplication: schemaOfKind(SPARK_APPLICATION), ScheduledSparkApplication: schemaOfKind(SCHEDULED_SPARK_APPLICATION),
  SparkConnect: schemaOfKind(SPARK_CONNECT),
};

const conf = (key: string) => ({ sparkConf: { [key]: 'x' } });
const dynamic = (dynamicAllocation: object) => ({ dynamicAllocation: { enabled: true, ...dynamicAllocation } });
const named = (length: number) => ({ metadata: { name: 'n'.repeat(length) } });

/** Examples of each kind. */
const EXAMPLES: { readonly [kind in Kind]: readonly object[] } = {
  SparkApplication: [
    named(64),
    ...CASES.filter(({ refused, onlyAtSynth }) => refused !== undefined && !onlyAtSynth).map(({ spec }) => changesIn(spec)),
  ],
  ScheduledSparkApplication: [named(64), { schedule: 'at night' }, { timeZone: 'Europe Berlin' }],
  SparkConnect: [
    named(57), { metadata: { name: 'team.notebooks' } }, ...DENIED_SPARK_CONF.map(({ key }) => conf(key)),
    { server: { memory: '1.5g' } }, { executor: { memory: 'lots' } }, { server: { service: { metadata: { name: 'Connect' } } } },
    dynamic({ minExecutors: 2, maxExecutors: 1 }), dynamic({ minExecutors: 2, initialExecutors: 1 }),
    dynamic({ initialExecutors: 3, maxExecutors: 2 }), dynamic({ maxExecutors: 0 }),
  ],
};

/** The fields of a case in addition to the minimal object. */
function changesIn(spec: object): object {
  return Object.fromEntries(Object.entries(spec).filter(([field, value]) => value !== (MINIMAL as any)[field]));
}

/**
 * Returns the CEL rules of a schema with the end of their paths and their messages. A kind within
 * another one is left out, because its own schema has the rules.
 */
function rulesIn(schema: Schema, path: string): { readonly path: string; readonly message: string }[] {
  return [
    ...(schema['x-kubernetes-validations'] ?? []).map(({ message }) => ({ path, message })),
    ...Object.entries(schema.properties ?? {}).filter(([name]) => !(path === 'spec' && name === 'template')).flatMap(
      ([name, inner]) => rulesIn(inner, path ? `${path}.${name}` : name),
    ),
    ...(schema.items ? rulesIn(schema.items, `${path}[]`) : []),
    ...(schema.additionalProperties ? rulesIn(schema.additionalProperties, `${path}[]`) : []),
  ];
}

/** Returns the API server's message for an example that breaks a rule. */
function refusals(kind: Kind, change: object): { readonly path: string; readonly reason: string; readonly text: string }[] {
  return violations(SCHEMAS[kind], objectOf(kind, change), '').map((violation) => ({
    ...violation, path: violation.path.replace(/^\./, ''),
  }))
    .map((violation) => ({ path: violation.path.replace(/\[[0-9]+\]/g, '[]'), reason: violation.reason, text: problemText(violation) }));
}

/** All CEL rules of the CRDs; one without an example has no `change`. */
export const CRD_RULES: readonly (Omit<Rule, 'change'> & {
  readonly change: object | undefined;
})[] = (Object.keys(SCHEMAS) as Kind[]).flatMap((kind) => (
  rulesIn(SCHEMAS[kind], '').map(({ path, message }) => {
    const isThis = (refusal: { readonly path: string; readonly reason: string }) => refusal.path === path && refusal.reason === message;
    const [found] = EXAMPLES[kind].flatMap((change) => refusals(kind, change).filter(isThis).map(({ text }) => ({ change, text })));
    return {
      rule: `${path || 'metadata'} ${message}`, kind, layer: 'CRD' as const, change: found?.change, message: found?.text ?? message,
    };
  })
));
