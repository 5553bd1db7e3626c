import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const folder = join(__dirname, '../fixtures/kubeflow');

/** Objects that kubeflow's operator leaves in one situation; see the README of test/fixtures/kubeflow. */
export interface KubeflowFixture {
  /** Name of the file, without its ending. */
  readonly situation: string;
  readonly objects: readonly any[];
  /** The application, if there is one. */
  readonly application: any;
  /** The driver's Pod, if there is one. */
  readonly driver: any;
}

/** All situations. */
export function kubeflowFixtures(): KubeflowFixture[] {
  return readdirSync(folder).filter((file) => file.endsWith('.yaml')).sort().map((file) => {
    const objects = parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => document.toJS());
    return {
      situation: file.replace('.yaml', ''),
      objects,
      application: objects.find(({ kind }) => kind === 'SparkApplication'),
      driver: objects.find(({ kind, metadata }) => kind === 'Pod' && metadata.labels['spark-role'] === 'driver'),
    };
  });
}
