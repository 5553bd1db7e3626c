/** Escapes arguments for a container: the kubelet expands `$(NAME)`, and reads `$$` as `$`. */
export function containerArgs(args: readonly string[]): string[] {
  return args.map((arg) => arg.replace(/\$(?=[$(])/g, '$$$$'));
}
