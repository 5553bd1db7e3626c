/** Parts of a schema that contain fields. */
interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
}

/**
 * Returns the paths of all fields of a schema, such as `spec.driver.cores`. Items of lists and
 * values of maps have the path of the list or map.
 */
export function propertyPaths(schema: object | undefined): Set<string> {
  const paths = new Set<string>();
  const collect = (node: SchemaNode, path: string): void => {
    for (const [name, inner] of Object.entries(node.properties ?? {})) {
      const at = path === '' ? name : `${path}.${name}`;
      paths.add(at);
      collect(inner, at);
    }
    for (const inner of [node.items, node.additionalProperties]) if (typeof inner === 'object') collect(inner, path);
  };
  collect((schema ?? {}) as SchemaNode, '');
  return paths;
}
