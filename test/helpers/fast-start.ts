/** `fastStart` of the tests' applications: the archive of the tests' image, unless FAST_START says otherwise. `none` runs them as on any image. */
export const FAST_START = process.env.FAST_START ?? 'auto';
