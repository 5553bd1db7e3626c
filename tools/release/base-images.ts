/* The images that the Dockerfile starts from, each by its digest: a tag can move. */

const BASE = /^(ARG \w*IMAGE=)([^\s@]+)(?:@(\S+))?$/gm;

/** Returns the images that a Dockerfile starts from, as its arguments name them: without digests. */
export function baseImages(dockerfile: string): string[] {
  return [...dockerfile.matchAll(BASE)].map(([, , image]) => image!);
}

/**
 * Returns a Dockerfile whose images have these digests.
 *
 * @param digestOf the digest of an image
 * @throws {Error} for a digest that is none
 */
export function pinned(dockerfile: string, digestOf: (image: string) => string): string {
  return dockerfile.replace(BASE, (_, argument: string, image: string) => {
    const digest = digestOf(image);
    if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${image} has the digest ${JSON.stringify(digest)}, which is none`);
    return `${argument}${image}@${digest}`;
  });
}
