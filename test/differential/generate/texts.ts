import fc from 'fast-check';

/** Characters that mean something to a properties file, a shell, a template or Java's String.split. */
const SPECIAL = [...'=:#!\\ \t\n\r\f"\'`$(){}[]<>|&;*?,.%@/~^+-_', '\u0001', '\u007f', '\u0085', '\u00a0', '\u2028', '\ufeff', 'é', 'ß', 'İ', 'ı', 'Σ', '漢', '😀', 'Z', 'a', '0'];

/** Any text that is well-formed Unicode, also empty: a property's value. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: fc.constantFrom(...SPECIAL), maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('', ' ', '  two  spaces  ', 'plain', 'C:\\dir\\file', 'a=b', '#not a comment', '!neither', 'line\nline', 'ends with \\', '{{APP_ID}}-{{EXECUTOR_ID}}', '{{SPARK_VERSION}}', '%s %d', '$1', '\\u0041'),
);

/** Any text that is not empty. */
export const someText = anyText.filter((text) => text !== '');

/** A word that Kubernetes takes for nearly everything. */
export const word = fc.constantFrom('a', 'one', 'two-2', 'three.example.com', 'x'.repeat(40), 'abc-def');

/** The name of a label or annotation. */
export const labelName = fc.constantFrom('team', 'example.com/team', 'a.b', 'UPPER', 'with-dash', 'with_underscore', 'app.kubernetes.io/name');

/** The value of a label; Spark takes any. */
export const labelValue = fc.oneof({ weight: 3, arbitrary: word }, { weight: 1, arbitrary: anyText });

/** The name of an environment variable; some are Spark's own. */
export const variableName = fc.constantFrom('A', 'B', 'FOO', 'PATH_TO', 'with.dot', 'with-dash', 'SPARK_USER', 'SPARK_APPLICATION_ID', 'PYSPARK_PYTHON', 'SPARK_CONF_DIR', 'z9');

/** `true` or `false`, in ways that Spark understands. */
export const booleanText = fc.constantFrom('true', 'false', 'TRUE', 'False', ' true ');

/** A path in a container. */
export const path = fc.constantFrom('/data', '/data/a', '/mnt/x y', '/', '/opt/é', '/tmp/$(A)', '/a,b').chain((base) => fc.constantFrom('', '/1', '/2', '/3').map((suffix) => base + suffix));
