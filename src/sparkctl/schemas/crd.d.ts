/** A CRD. Only the bundler understands such imports. */
declare module '*.yaml' {
  const crd: import('./schemas').CustomResourceDefinition;
  export default crd;
}
