import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { KUBEFLOW_PROGRAM } from '../build/kubeflow.ts';
import type { Part } from '../build/parts.ts';
import { KUBEFLOW_IMAGE } from '../versions.ts';
import { packImage } from './layout.ts';
import { SPARK_CONFIG } from './spark.ts';

/** Where the program is in the image. */
const TARGET = 'usr/bin/spark-operator';

/** kubeflow's operator on the Spark image, as its own image is made: it submits by the spark-submit of that image. No cluster has it by itself. */
export function kubeflowImage(kubeflow: Part, spark: Part): Part {
  const config = { ...SPARK_CONFIG, Entrypoint: ['/usr/bin/tini', '-s', '--', `/${TARGET}`] };
  return {
    name: 'image-kubeflow',
    inputs: { reference: KUBEFLOW_IMAGE, config: JSON.stringify(config), revision: '1' },
    requires: [kubeflow, spark],
    needs: { programs: ['tar'], tools: [] },
    label: "packing the image of kubeflow's operator",
    async build(folder, log, [kubeflowFolder, sparkFolder]) {
      const root = join(folder, 'root');
      mkdirSync(join(root, 'usr/bin'), { recursive: true });
      copyFileSync(join(kubeflowFolder!, KUBEFLOW_PROGRAM), join(root, TARGET));
      chmodSync(join(root, TARGET), 0o755);
      await packImage(folder, { reference: KUBEFLOW_IMAGE, root, paths: [TARGET], base: sparkFolder!, config, log });
    },
  };
}
