import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ToolError } from '../local-cluster/index.ts';
import { SUITE_FOLDER } from './checkout.ts';
import { patchManifest, type LocalSpark } from './manifest.ts';

/**
 * Assignment of the image in which a specification runs a Scala client. It takes the operator's, which has
 * Spark in it; ours has none.
 */
const CLIENT_IMAGE = /\boperatorImage := .+/g;

/** A call with texts only. */
const JOINED_PATH = /\bfilepath\.Join\(((?:\s*"[^"]*",?)+)\s*\)/g;

/** Returns the manifests that a Go source reads, by their paths in the checkout. */
export function manifestsOf(source: string): string[] {
  const paths = [...source.matchAll(JOINED_PATH)].map(([, parts]) => posix.join(SUITE_FOLDER, ...[...parts!.matchAll(/"([^"]*)"/g)].map(([, part]) => part!)));
  return [...new Set(paths.filter((path) => path.endsWith('.yaml')))];
}

/** Returns a Go source in which the Scala client runs in an image with Spark, or undefined if the source has no such client. */
export function patchClientImage(source: string, image: string): string | undefined {
  const patched = source.replaceAll(CLIENT_IMAGE, `operatorImage := ${JSON.stringify(image)}`);
  return patched === source ? undefined : patched;
}

/**
 * Puts local images and programs into the copy of a checkout.
 *
 * @throws ToolError if the checkout is not as expected
 */
export function patchSuite(copy: string, spark: LocalSpark): void {
  const manifests = new Set<string>();
  let clients = 0;
  for (const file of globSync(join(copy, SUITE_FOLDER, '*_test.go'))) {
    const source = readFileSync(file, 'utf8');
    for (const path of manifestsOf(source)) manifests.add(path);
    const patched = patchClientImage(source, spark.image);
    if (patched === undefined) continue;
    writeFileSync(file, patched);
    clients++;
  }
  if (manifests.size === 0) throw changed('no specification reads a manifest');
  if (clients !== 1) throw changed(`${clients} files assign operatorImage, and not one`);
  for (const path of manifests) {
    const file = join(copy, path);
    writeFileSync(file, patchManifest(path, readFileSync(file, 'utf8'), spark));
  }
}

/** Error about a checkout that has changed since this tool was written. */
export function changed(what: string): ToolError {
  return new ToolError(`kubeflow's suite has changed: ${what}`, 'Adapt tools/kubeflow, or pass a checkout of an older commit.');
}
