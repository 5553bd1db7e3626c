import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchSchedulerSettings } from '../../../src/plan/settings';
import type { Changes } from '../application';
import { READS, seenBySparkSubmit, seenNatively } from './reads';

/*
 * Pods and groups as a scheduler reads them, one file per case. Their amounts were calculated by
 * hand, by the rules of Spark and of Kubernetes.
 */

interface Golden {
  readonly description: string;
  /** Scheduler that reads it. */
  readonly scheduler: keyof typeof READS;
  readonly settings: BatchSchedulerSettings;
  readonly application: Changes;
  readonly driver: object;
  readonly executor: object;
  /** The PodGroup, without its owner and labels. */
  readonly group?: { readonly apiVersion: string; readonly name: string; readonly spec: object };
  readonly warnings?: readonly string[];
}

const FOLDER = join(__dirname, 'golden');
const CASES = readdirSync(FOLDER).sort().map((file): [string, Golden] => [file, JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))]);

test.each(CASES)('%s', (_, { scheduler, settings, application, driver, executor, group, warnings = [] }) => {
  const read = READS[scheduler]!;
  const natively = seenNatively(application, settings);
  for (const seen of [natively, seenBySparkSubmit(application, settings)]) {
    expect(JSON.parse(JSON.stringify(read(seen.driver)))).toEqual(driver);
    expect(JSON.parse(JSON.stringify(read(seen.executor)))).toEqual(executor);
    expect(seen.group && { apiVersion: seen.group.apiVersion, name: seen.group.metadata.name, spec: seen.group.spec }).toEqual(group);
  }
  expect(natively.warnings).toEqual(warnings);
});
