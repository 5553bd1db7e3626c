import { join } from 'node:path';
import { obtain, partKey } from '../local-cluster/build/parts.ts';
import { AnswerCache } from './answers.ts';
import { LineJvm } from './line-jvm.ts';
import { sparkJars, submitHarness, submitParser } from './parts.ts';
import { refuseMissing, type RealSparkOptions } from './real-spark.ts';

/** A command line of spark-submit, and what is around it. */
export interface CommandLine {
  readonly argv: readonly string[];
  /** Files in the folder in which it runs, by their path. */
  readonly files: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
}

/** How spark-submit understands a command line. The folder in which it runs is `/work`. */
export interface ParsedCommandLine {
  /** Why it is refused. Absent if it is not. */
  readonly refusal?: string;
  readonly mainClass?: string | null;
  readonly resource?: string;
  readonly arguments?: readonly string[];
  readonly proxyUser?: string | null;
  /** The Spark properties that it submits with. */
  readonly properties?: Readonly<Record<string, string>>;
}

/** Reads command lines as spark-submit of a version does. Its previous answers are kept. */
export async function parsedBySpark(lines: readonly CommandLine[], { version, cache, tool, progress }: RealSparkOptions): Promise<readonly ParsedCommandLine[]> {
  const parts = [submitParser(version, join(tool, 'parser')), submitHarness(version, join(tool, 'java'))];
  const answers = new AnswerCache<readonly CommandLine[], readonly ParsedCommandLine[]>(join(cache, 'spark-submit-command-lines'), parts.map(partKey).join(), (each) => each);
  const known = answers.get(lines);
  answers.removeUnused();
  if (known) return known;
  for (const part of parts) await refuseMissing(cache, part);
  const jars = await obtain(cache, sparkJars(version), progress);
  const folders: string[] = [];
  for (const part of parts) folders.push(await obtain(cache, part, progress));
  const jvm = new LineJvm('SubmitParser', [...folders, join(jars, 'jars', '*')]);
  try {
    const parsed: ParsedCommandLine[] = [];
    for (const line of lines) parsed.push(await jvm.ask<ParsedCommandLine>(line));
    const result = JSON.parse(JSON.stringify(parsed).replaceAll(jvm.work, '/work')) as ParsedCommandLine[];
    answers.set(lines, result);
    return result;
  } finally {
    await jvm.stop();
  }
}
