import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const INTRODUCTION = `# sparkctl

<!-- Made by \`npm run generate\` of what the commands say of themselves. -->

The command line of the package: one file, \`runtime/sparkctl.cjs\`, which needs Node 22.19 or newer and nothing else. Where the package is installed, \`npx sparkctl …\` runs it. As a file named
\`kubectl-spark\` on the path (\`ln -s "$(npm root -g)/cdk8s-spark-operator/runtime/sparkctl.cjs" ~/bin/kubectl-spark\`) it is \`kubectl spark …\`.

It finds the cluster and the namespace as kubectl does, and has the rights of its user and no others. What people read goes to the terminal; \`-o json\`, \`-o yaml\` and \`-o name\` are for scripts. Colours are for terminals
only, and \`NO_COLOR\` turns them off. What a command prints as its result goes to the standard output, everything else to the standard error.

Every command has these exit codes besides its own: 0 when all went well, 2 for a wrong command line, and 130 when Ctrl-C has ended it.

How manifests are rendered and checked is told on [a page of its own](render.md).
`;

/** The page of the command line: what each command prints with \`--help\`. */
export function sparkctlPage(root: string): { readonly path: string; readonly text: string } {
  const help = (...command: readonly string[]) => execFileSync(process.execPath, [join(root, 'runtime/sparkctl.cjs'), ...command, '--help'], { encoding: 'utf8' });
  const whole = help();
  const names = [.../^Commands:\n((?: {2}.*\n)+)/m.exec(whole)![1]!.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name!);
  const sections = names.map((name) => `## sparkctl ${name}\n\n\`\`\`\n$ sparkctl ${name} --help\n${help(name)}\`\`\`\n`);
  return { path: 'docs/sparkctl.md', text: [INTRODUCTION, `\`\`\`\n$ sparkctl --help\n${whole}\`\`\`\n`, ...sections].join('\n') };
}
