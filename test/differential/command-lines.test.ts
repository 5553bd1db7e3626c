import { join, normalize } from 'node:path';
import fc from 'fast-check';
import { cacheFolder } from '../../tools/local-cluster/paths';
import { terminalProgress } from '../../tools/local-cluster/progress';
import { parsedBySpark, type CommandLine, type ParsedCommandLine } from '../../tools/real-spark/submit-parser';
import { isUri } from '../../src/plan/properties/dependencies';
import { submitLine } from '../../src/sparkctl/submit/command-line';
import { propertiesFiles } from '../../src/sparkctl/submit/properties-files';
import { requestOf } from '../../src/sparkctl/submit/request';
import { FULL, SEED, announceSeed } from './extent';
import { commandLine } from './generate/command-lines';

/*
 * Command lines as `sparkctl submit` and real spark-submit understand them: its launcher, its parser, and the Spark properties
 * with which it would submit.
 */

const VERSIONS = ['3.5.8', '4.3.0'] as const;
const CASES = FULL ? 2_000 : 300;

jest.setTimeout(10 * 60_000);
announceSeed();

/** Properties that are lists of files. spark-submit makes URIs of them, sparkctl when it uploads them. */
const LISTS = ['spark.jars', 'spark.files', 'spark.archives', 'spark.submit.pyFiles'];

/**
 * Refusals that are not about the command line: sparkctl does not open jars, as the operator leaves such an application to
 * spark-submit, and Spark's own files for R are not beside its jars here.
 */
const NOT_COMPARED = ['Failed to get main class in JAR', 'URI scheme is not "file"'];

test.each(VERSIONS)('Spark %s', async (version) => {
  const cases = fc.sample(commandLine(version === VERSIONS.at(-1)), { seed: SEED, numRuns: CASES });
  const tool = join(__dirname, '../../tools/real-spark');
  const answers = await parsedBySpark(cases, { version, cache: cacheFolder(), tool, progress: terminalProgress() });
  const failures: unknown[] = [];
  let accepted = 0;
  for (const [index, given] of cases.entries()) {
    if (NOT_COMPARED.some((refusal) => answers[index]!.refusal?.includes(refusal))) continue;
    const [theirs, ours] = [asCompared(answers[index]!), asCompared(await parsed(given))];
    if (theirs !== 'refused') accepted++;
    if (!sameAs(theirs, ours)) failures.push({ given, [`Spark ${version}`]: theirs === 'refused' ? answers[index]!.refusal : theirs, sparkctl: ours });
  }
  expect(failures.slice(0, 3)).toEqual([]);
  // Neither of the two outcomes is rare.
  expect(accepted).toBeGreaterThan(CASES / 4);
  expect(CASES - accepted).toBeGreaterThan(CASES / 10);
});

/** The command line as sparkctl understands it. */
async function parsed({ argv, files, environment }: CommandLine): Promise<ParsedCommandLine> {
  try {
    const line = submitLine(argv);
    const readFile = async (path: string) => files[path] ?? Promise.reject(Object.assign(new Error(), { code: 'ENOENT' }));
    const { properties, resource, arguments: args, mainClass, proxyUser, name } = requestOf(line, await propertiesFiles(line, environment, { readFile }), environment);
    const values = Object.fromEntries([...properties].map(([key, { value }]) => [key, value]));
    return { mainClass: mainClass ?? null, resource, arguments: args, proxyUser: proxyUser ?? null, properties: { ...values, 'spark.app.name': name, 'spark.submit.deployMode': 'cluster' } };
  } catch (error) {
    return { refusal: (error as Error).message };
  }
}

function asCompared({ refusal, resource, properties = {}, ...others }: ParsedCommandLine): object | 'refused' {
  if (refusal !== undefined) return 'refused';
  const main = uriOf(resource!);
  const kept = Object.entries(properties).flatMap(([key, value]) => {
    if (key === 'spark.app.submitTime') return [];
    if (!LISTS.includes(key)) return [[key, value]];
    // The planner adds the jar of the application, too.
    const list = value.split(',').filter((item) => item.trim() !== '').map(uriOf).filter((item) => key !== 'spark.jars' || item !== main);
    return list.length === 0 ? [] : [[key, list.join()]];
  });
  return { ...others, resource: main, properties: Object.fromEntries(kept) };
}

function uriOf(text: string): string {
  if (text === 'spark-internal' || isUri(text)) return text.replace(/^file:\/+/, 'file:/');
  const [path, fragment] = text.split('#');
  return `file:${encodeURI(normalize(join(path!.startsWith('/') ? '' : '/work', path!)))}${fragment === undefined ? '' : `#${fragment}`}`;
}

function sameAs(theirs: object | string, ours: object | string): boolean {
  return JSON.stringify(sorted(theirs)) === JSON.stringify(sorted(ours));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]));
}
