/* Runs programs one after another in this process, which imports the library once. Standard input: a list of them; standard output: what each has printed, as JSON. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Program, ProgramOutput } from '../../test/helpers/run-programs.ts';

const write = process.stdout.write.bind(process.stdout);

async function run({ path, cwd, environment }: Program): Promise<ProgramOutput> {
  let stdout = '';
  process.stdout.write = ((text: string | Uint8Array) => {
    stdout += String(text);
    return true;
  }) as typeof process.stdout.write;
  const before = { ...process.env };
  try {
    process.chdir(cwd);
    Object.assign(process.env, environment);
    await import(pathToFileURL(path).href);
    return { stdout };
  } catch (error) {
    return { stdout, error: (error as Error).stack ?? String(error) };
  } finally {
    process.stdout.write = write;
    process.env = before;
  }
}

const outputs: ProgramOutput[] = [];
for (const program of JSON.parse(readFileSync(0, 'utf8')) as Program[]) outputs.push(await run(program));
write(JSON.stringify(outputs));
