import { CRD_RULES } from './crd-rules';
import { RULES, type Rule } from './rules';
import { LIMIT_RULES } from '../../helpers/admission-cases';

const ORDER: readonly Rule['layer'][] = ['CRD', 'policy', 'webhook', 'operator'];

/** The rows of the table in docs/reference/admission-rules.md: layer by layer, in the order of enforcement. */
export function admissionTable(): string[] {
  const ofNamespaces = LIMIT_RULES.map(({ rule, message }) => ({ rule, kind: 'SparkApplication', layer: 'policy', message }));
  const all = [...CRD_RULES, ...RULES, ...ofNamespaces];
  const rows = ORDER.flatMap((layer) => all.filter((rule) => rule.layer === layer)).map(({ rule, kind, layer, message }) => (
    `| ${cell(rule)} (${kind}) | ${layer} | ${cell(message)} |`
  ));
  return [...new Set(rows)];
}

/** Returns a message as Markdown, escaped within a cell. */
function cell(text: string): string {
  return text.replaceAll('\n', ' ').replace(/[|*<>`]/g, '\\$&');
}
