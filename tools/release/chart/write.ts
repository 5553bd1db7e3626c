import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CHART_NAME, chartFiles, installFile, type ChartSource } from './chart.ts';

/** Writes install.yaml and the chart, as a folder and as an archive, into a folder. */
export function writeRelease(source: ChartSource, folder: string): void {
  for (const [path, text] of Object.entries(chartFiles(source))) {
    const file = join(folder, CHART_NAME, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(join(folder, 'install.yaml'), installFile(source));
  execFileSync('tar', [
    '--create', '--gzip', '--file', join(folder, `${CHART_NAME}-${source.version}.tgz`), '--directory', folder, CHART_NAME,
  ]);
}
