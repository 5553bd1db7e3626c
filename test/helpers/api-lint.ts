/** A node of a jsii assembly (`.jsii`). */
type Node = Readonly<Record<string, any>>;

/**
 * Finds faults of a public API in its assembly: unions and untyped values, which other languages know only as "anything"; undocumented members;
 * types of cdk8s-plus, which would force one of its lines on all users.
 *
 * An untyped value is fine where its property is marked `@freeForm`. The structs of Kubernetes, in the submodule `k8s`, name the page (`@see`) that
 * documents all of their fields.
 *
 * A union of literals (`'a' | 'b'`) is a plain string to jsii, and not seen here.
 *
 * @returns a line for each fault, type by type
 */
export function lint(assembly: Node): string[] {
  return (Object.values(assembly.types ?? {}) as Node[]).sort((a, b) => (a.fqn < b.fqn ? -1 : 1)).flatMap((type) => {
    const name = type.fqn.slice(assembly.name.length + 1);
    const inheritance = [type.base, ...(type.interfaces ?? [])].filter((base) => base !== undefined).flatMap((fqn) => typeFaults(name, { fqn }));
    return [...undocumented(name, type), ...inheritance, ...members(type).flatMap(([member, node]) => memberFaults(`${name}.${member}`, node, type))];
  });
}

/** Returns the members of a type: properties, methods, the constructor, values of an enum. */
function members({ properties = [], methods = [], members: values = [], initializer }: Node): [name: string, node: Node][] {
  const named = [...properties, ...methods, ...values].map((node: Node): [string, Node] => [node.name, node]);
  return initializer === undefined ? named : [['constructor', initializer], ...named];
}

function memberFaults(name: string, node: Node, type: Node): string[] {
  const isDocumentedElsewhere = type.namespace === 'k8s' && type.docs?.see !== undefined;
  const isProp = type.datatype === true;
  const free = node.docs?.custom?.freeForm !== undefined;
  const parameters = (node.parameters ?? []).flatMap((parameter: Node) => typeFaults(`${name}(${parameter.name})`, parameter.type));
  return [
    // The class documents its constructor.
    ...(isDocumentedElsewhere || name.endsWith('.constructor') ? [] : undocumented(name, node)),
    ...(isProp && node.optional && !isDocumentedElsewhere && !node.docs?.default ? [`${name} is optional and has no @default`] : []),
    ...typeFaults(name, node.type ?? node.returns?.type, free),
    ...parameters,
  ];
}

function undocumented(name: string, { docs }: Node): string[] {
  return docs?.summary ? [] : [`${name} is not documented`];
}

function typeFaults(name: string, type: Node | undefined, free = false): string[] {
  if (type?.collection) return typeFaults(name, type.collection.elementtype, free);
  if (type?.union || type?.intersection) return [`${name} is a union`];
  if ((type?.primitive === 'any' || type?.primitive === 'json') && !free) return [`${name} is untyped and not marked @freeForm`];
  if (/^cdk8s-plus-\d+\./.test(type?.fqn ?? '')) return [`${name} is of cdk8s-plus: ${type!.fqn}`];
  return [];
}
