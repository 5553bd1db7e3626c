/**
 * Special characters of Spark's launcher: quotes, backslashes and blanks (Java's
 * Character.isWhitespace).
 */
const SPECIAL_TO_SPARK = /["'\\\t-\r\u001c-\u0020\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/g;

/** Special characters of a JVM: quotes and blanks (C's isspace). */
const SPECIAL_TO_JVM = /["'\t-\r ]/g;

/**
 * Splits options as Spark's launcher does (CommandBuilderUtils.parseOptionString), for
 * `extraJavaOptions`, `defaultJavaOptions` and `SPARK_SUBMIT_OPTS`: at blanks outside of quotes. A
 * backslash outside of single quotes escapes the next character.
 *
 * A quote without an end extends to the end of the text; Spark would not start.
 * @internal
 */
export function sparkOptions(text: string): string[] {
  return split(text, SPECIAL_TO_SPARK);
}

/**
 * Splits options as a JVM does, for `JDK_JAVA_OPTIONS`, `JAVA_TOOL_OPTIONS` and `_JAVA_OPTIONS`: at
 * blanks outside of quotes. A backslash has no special meaning.
 *
 * A quote without an end extends to the end of the text; the JVM would not start.
 * @internal
 */
export function jvmOptions(text: string): string[] {
  return split(text, SPECIAL_TO_JVM);
}

function split(text: string, special: RegExp): string[] {
  const options: string[] = [];
  let option: string | undefined;
  let [plainFrom, quote] = [0, ''];
  special.lastIndex = 0;
  for (let found = special.exec(text); found; found = special.exec(text)) {
    const [{ index }, char] = [found, found[0]];
    if (quote !== '' && char !== quote && !(char === '\\' && quote === '"')) continue;
    if (index > plainFrom) option = (option ?? '') + text.slice(plainFrom, index);
    plainFrom = index + 1;
    if (char === '\\') {
      option = (option ?? '') + (text[plainFrom++] ?? '');
      special.lastIndex = plainFrom;
    } else if (char === '"' || char === "'") {
      [option, quote] = [option ?? '', quote === '' ? char : ''];
    } else {
      if (option !== undefined) options.push(option);
      option = undefined;
    }
  }
  if (plainFrom < text.length) option = (option ?? '') + text.slice(plainFrom);
  return option === undefined ? options : [...options, option];
}

/**
 * Effect of an option on properties: it sets one, or names a file with further options.
 * @internal
 */
export type OptionEffect =
  | { readonly kind: 'property'; readonly name: string; readonly value: string }
  | { readonly kind: 'file' };

/**
 * `@file` of the `java` command, `-XX:VMOptionsFile` of HotSpot, `-Xoptionsfile` of OpenJ9. Files
 * of `-XX:Flags` cannot set properties.
 */
const FILE = /^(?:@(?!@)|-XX:VMOptionsFile=|-Xoptionsfile=)/;

/** Returns the effect of one option. @internal */
export function effectOf(option: string): OptionEffect | undefined {
  if (FILE.test(option)) return { kind: 'file' };
  const [, name, value] = /^-D([^=]*)(?:=([^]*))?$/.exec(option) ?? [];
  return name ? { kind: 'property', name, value: value ?? '' } : undefined;
}
