import { Document, visit } from 'yaml';

/** Characters to escape, as some parsers treat them as line ends or reject them. */
const ESCAPED = /[\x7f-\x9f\u2028\u2029\ufeff]/;

/**
 * Formats a value as YAML that means the same in YAML 1.1 (kubectl) and 1.2. It ends with a line
 * feed.
 */
export function yamlText(value: unknown): string {
  const document = new Document(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && ESCAPED.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  const text = document.toString({ lineWidth: 0 });
  return text.replace(new RegExp(ESCAPED, 'g'), (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
