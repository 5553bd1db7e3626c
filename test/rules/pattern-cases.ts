/* A text that breaks the pattern of each field that has one. */
import { refused, type Case } from './case';
import { SPARK_APPLICATION } from '../../src/api/spark-application';
import { holds } from '../../src/rules/cel';
import type { Schema } from '../../src/rules/schema';
import { specSchema } from '../../src/rules/schemas';

const WRONG = '! no such value !';

function casesOf({ properties = {} }: Schema, path: string, put: (field: string) => object): Case[] {
  return Object.entries(properties).flatMap(([field, { type, 'x-kubernetes-validations': rules = [] }]) => (
    type === 'string' && rules.filter(({ rule }) => !holds(rule, WRONG)).length === 1
      ? [refused(`${path}.${field}`, `${path}.${field} with a text that does not match`, put(field))]
      : []
  ));
}

const schema = specSchema(SPARK_APPLICATION);

export const PATTERN_CASES: readonly Case[] = [
  ...casesOf(schema, 'spec', (field) => ({ [field]: WRONG })),
  ...(['driver', 'executor'] as const).flatMap((role) => casesOf(schema.properties![role]!, `spec.${role}`, (field) => ({ [role]: { [field]: WRONG } }))),
];
