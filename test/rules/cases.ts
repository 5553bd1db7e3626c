/*
 * A unit test checks these cases as synth does, a test with the API server sends them there: both must agree.
 */
import type { Case } from './case';
import { EMBEDDED_CASES } from './embedded-cases';
import { FIELD_CASES } from './field-cases';
import { RULE_CASES } from './rule-cases';

export const CASES: readonly Case[] = [...RULE_CASES, ...FIELD_CASES, ...EMBEDDED_CASES];
