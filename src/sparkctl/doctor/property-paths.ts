/** The part of a schema that has fields in it. */
interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
}

/** The paths of all fields that a schema knows, such as `spec.driver.cores`. What repeats, in lists and maps, has the path of what it is in. */
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
