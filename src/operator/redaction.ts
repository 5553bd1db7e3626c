/** Words in the names of what must not be shown, as in the default of Spark's `spark.redaction.regex`, and what is like them. */
const SECRET_NAME = '(?:password|passwd|secret|token|credential|access[._-]?key|api[._-]?key)';

/**
 * A text for people without the secrets that it may quote: user and password of URIs, their queries (which sign them), and values behind
 * names such as `password=`. For all that reaches a status, an event or a log from a user's program or specification.
 */
export function withoutSecrets(text: string): string {
  return text
    .replace(/\/\/[^/@\s]*@/g, '//***@')
    .replace(/([a-z][a-z0-9+.-]*:\/\/[^\s?#"']*)\?[^\s,#"']+/gi, '$1?***')
    .replace(new RegExp(`(${SECRET_NAME}[\\w.-]*["']?\\s*[=:]\\s*["']?)[^\\s"',;&]+`, 'gi'), '$1***');
}
