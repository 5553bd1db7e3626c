import { join } from 'node:path';
import { kubeflowPart } from '../build/kubeflow.ts';
import type { Part } from '../build/parts.ts';
import { programPart } from '../build/programs.ts';
import { KUBEFLOW_IMAGE, NODE_IMAGE, PAUSE_IMAGE, SPARK_IMAGE, SPARK_JMX_IMAGE, SPARK_STORES_IMAGE } from '../versions.ts';
import { sparkImage } from './applications.ts';
import { debianImage } from './debian.ts';
import { fastStartImage } from './fast-start.ts';
import { sparkJmxImage } from './jmx-exporter.ts';
import { kubeflowImage } from './kubeflow.ts';
import { nodeImage } from './node.ts';
import { sparkStoresImage } from './object-stores.ts';
import { pauseImage } from './pause.ts';
import { sparkBaseImage } from './spark.ts';

/** The images of this project by their names. */
export function imageCatalog(repository: { readonly root: string; readonly tool: string }): ReadonlyMap<string, Part> {
  const debian = debianImage();
  const applications = join(repository.root, 'examples', 'applications');
  const base = sparkBaseImage(debian, repository.tool);
  const fast = fastStartImage(base, join(repository.root, 'fast-start'));
  return new Map([
    [PAUSE_IMAGE, pauseImage(programPart(repository.tool, 'pause'))],
    [SPARK_IMAGE, sparkImage(fast, applications)],
    // Without an archive for fastStart, as most images of Spark are.
    [SPARK_JMX_IMAGE, sparkJmxImage(sparkImage(base, applications))],
    [SPARK_STORES_IMAGE, sparkStoresImage(sparkImage(fast, applications), repository.tool)],
    [KUBEFLOW_IMAGE, kubeflowImage(kubeflowPart(repository.tool), sparkImage(fast, applications))],
    [NODE_IMAGE, nodeImage(debian, repository.root)],
  ]);
}

/** Those that every cluster with a node has. */
export function clusterImages(repository: { readonly root: string; readonly tool: string }): Part[] {
  const catalog = imageCatalog(repository);
  return [PAUSE_IMAGE, SPARK_IMAGE].map((reference) => catalog.get(reference)!);
}
