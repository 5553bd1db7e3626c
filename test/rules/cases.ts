/* Cases of a unit test for synthesis, and of a test with a real API server: both must agree. */
import type { Case } from './case';
import { EMBEDDED_CASES } from './embedded-cases';
import { FIELD_CASES } from './field-cases';
import { PATTERN_CASES } from './pattern-cases';
import { RULE_CASES } from './rule-cases';

export const CASES: readonly Case[] = [...RULE_CASES, ...FIELD_CASES, ...EMBEDDED_CASES, ...PATTERN_CASES];
