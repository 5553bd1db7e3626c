/** Maximum number of namespaces with their own series; further ones share one. */
export const MAX_NAMESPACES = 1_000;
/** Label value of further namespaces and unknown values. */
export const OTHER = 'other';
