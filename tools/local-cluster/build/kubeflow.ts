import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../run.ts';
import type { Part } from './parts.ts';
import { moduleFolder, modulePart } from './programs.ts';

/** The module of kubeflow's operator. kubeflow/go.mod has its version. */
const MODULE = 'github.com/kubeflow/spark-operator/v2';

/** Its chart, among the module's own files. */
const CHART = 'charts/spark-operator-chart';

/** Name of the program in the folder of the part. */
export const KUBEFLOW_PROGRAM = 'spark-operator';

/** Name of the chart's folder in the folder of the part. */
export const KUBEFLOW_CHART = 'chart';

/** kubeflow's operator: the program, and the Helm chart of the same release. */
export function kubeflowPart(tool: string): Part {
  const part = modulePart(tool, {
    name: 'kubeflow', target: `${MODULE}/cmd/operator`, program: KUBEFLOW_PROGRAM,
    label: "building kubeflow's operator from its sources (some minutes, once)",
  });
  return {
    ...part,
    inputs: { ...part.inputs, chart: CHART },
    async build(folder, log, required) {
      await part.build(folder, log, required);
      cpSync(join(await moduleFolder(join(tool, 'kubeflow'), MODULE), CHART), join(folder, KUBEFLOW_CHART), { recursive: true });
      // Files of modules are read-only, so that users could not remove the part.
      await run('chmod', ['--recursive', 'u+w', join(folder, KUBEFLOW_CHART)], { log });
    },
  };
}

/** Helm, the client. */
export function helmPart(tool: string): Part {
  return modulePart(tool, {
    name: 'helm', target: 'helm.sh/helm/v3/cmd/helm', program: 'helm', label: 'building Helm from its sources (some minutes, once)',
  });
}
