import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The parts of a jsii assembly (`.jsii`) that the generators read. */
export interface Assembly {
  readonly name: string;
  readonly types: Readonly<Record<string, AssemblyType>>;
}

export interface AssemblyType {
  readonly fqn: string;
  readonly name: string;
  readonly kind: 'interface' | 'enum' | 'class';
  /** Fully qualified name of the base class. */
  readonly base?: string;
  readonly abstract?: boolean;
  /** Whether an interface is a struct. */
  readonly datatype?: boolean;
  readonly interfaces?: readonly string[];
  readonly initializer?: Callable;
  readonly methods?: readonly Callable[];
  readonly properties?: readonly Property[];
  readonly members?: readonly { readonly name: string; readonly docs?: Docs }[];
  readonly docs?: Docs;
  readonly symbolId?: string;
  readonly locationInModule: { readonly filename: string };
}

/** A method; as a constructor it has no name. */
export interface Callable {
  readonly name?: string;
  readonly static?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly returns?: { readonly type: TypeReference };
  readonly docs?: Docs;
}

export interface Parameter {
  readonly name: string;
  readonly optional?: boolean;
  readonly variadic?: boolean;
  readonly type: TypeReference;
  readonly docs?: Docs;
}

export interface Property {
  readonly name: string;
  readonly optional?: boolean;
  readonly type: TypeReference;
  readonly docs?: Docs;
}

export type TypeReference =
  | { readonly primitive: string }
  | { readonly fqn: string }
  | { readonly collection: { readonly kind: 'array' | 'map'; readonly elementtype: TypeReference } };

export interface Docs {
  readonly summary?: string;
  readonly remarks?: string;
  readonly default?: string;
  readonly see?: string;
  readonly returns?: string;
  readonly custom?: Readonly<Record<string, string>>;
}

/** A compiled package: its assembly, and its modules for what an assembly leaves out (the values of enums). */
export class CompiledPackage {
  public readonly assembly: Assembly;
  private readonly root: string;
  private readonly load: NodeJS.Require;

  constructor(root: string) {
    this.root = root;
    this.load = createRequire(join(root, 'package.json'));
    this.assembly = JSON.parse(readFileSync(join(root, '.jsii'), 'utf8'));
  }

  /** A module of `lib/`, such as `api/spark-application`. */
  module(name: string): Record<string, any> {
    return this.load(join(this.root, 'lib', name));
  }

  type(fqn: string): AssemblyType {
    const type = this.assembly.types[fqn];
    if (!type) throw new Error(`${fqn} is not in the assembly: is it exported by src/index.ts?`);
    return type;
  }

  typeNamed(name: string): AssemblyType {
    return this.type(`${this.assembly.name}.${name}`);
  }

  /** A struct of Kubernetes' own. */
  kubernetesType(name: string): AssemblyType {
    return this.type(`${this.assembly.name}.k8s.${name}`);
  }

  /** Whether a struct is one of Kubernetes' own, which is documented there. */
  isKubernetes(type: AssemblyType): boolean {
    return type.fqn.startsWith(`${this.assembly.name}.k8s.`);
  }

  /** The properties of a struct with the inherited ones, by name. */
  properties(type: AssemblyType): Property[] {
    const own = type.properties ?? [];
    const inherited = (type.interfaces ?? []).flatMap((base) => this.properties(this.type(base))).filter(({ name }) => !own.some((each) => each.name === name));
    return [...inherited, ...own].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The strings behind an enum's members, in the order in which they are declared. */
  enumValues(type: AssemblyType): string[] {
    const [source] = (type.symbolId ?? '').split(':');
    const values = this.module(source!.replace(/^src\//, ''))[type.name];
    return (type.members ?? []).map((member) => values[member.name]);
  }
}
