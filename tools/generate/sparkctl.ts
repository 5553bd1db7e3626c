import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const INTRODUCTION = `# sparkctl

<!-- Made by \`npm run generate\` of what the commands say of themselves. -->

The command line of the package, \`runtime/sparkctl.cjs\`, which needs Node 22.19 or newer and nothing else. \`npx --package cdk8s-spark-operator sparkctl …\` runs it anywhere. Name the package: outside an installation, npx takes the command's
name for a package's, and fetches another one. As a file named
\`kubectl-spark\` on the path (\`ln -s "$(npm root -g)/cdk8s-spark-operator/runtime/sparkctl.cjs" ~/bin/kubectl-spark\`) it is \`kubectl spark …\`.

![A session at a terminal: sparkctl create pi.yaml --wait follows the driver and its executors until the application is COMPLETED; sparkctl log prints the result; a manifest with a wrong size of memory is rejected with file, line and column; sparkctl status reports that another application waits because no node has enough memory, and a remedy; sparkctl list shows both](images/sparkctl.svg)

A test recorded this session with real Spark; waiting is played four times as fast.

So that it starts at once, what Node has compiled of it is kept in \`cdk8s-spark-operator/v8\` in the user's folder for caches (\`$XDG_CACHE_HOME\`, \`~/.cache\`, on macOS \`~/Library/Caches\`), about half a megabyte. \`NODE_DISABLE_COMPILE_CACHE=1\`
leaves that out, \`NODE_COMPILE_CACHE\` names another place.

It finds the cluster and the namespace as kubectl does (several files in \`$KUBECONFIG\` are one, and \`-n\`, \`--context\` and \`--kubeconfig\` may stand before the command, too), and has the rights of its user and no others. What people read goes to the terminal; \`-o json\`, \`-o yaml\` and \`-o name\` are for scripts. Colours are for terminals
only, and \`NO_COLOR\` turns them off. What a command prints as its result goes to the standard output, everything else to the standard error.

Every command has these exit codes besides its own: 0 when all went well, 2 for a wrong command line, and 130 when Ctrl-C has ended it.

How manifests are rendered and checked is told on [a page of its own](render.md), what \`install\` takes from a file and how \`uninstall\` finds what to remove [with the operator](operator.md#installed-from-the-command-line).

## Rights

A command may do what its user may. The \`users\` of a [SparkJobNamespace](constructs/spark-job-namespace.md) have all that commands for applications need, but for uploads to volumes; its \`viewers\` have what looking on needs. As RBAC writes it,
the kinds being \`sparkapplications\`, \`scheduledsparkapplications\` and \`sparkconnects\` of \`sparkoperator.k8s.io\`:

| commands | verbs and resources |
|---|---|
| \`list\`, \`status\`, \`describe\`, \`event\`, \`schedule next\` | \`get\`, \`list\` the kinds, \`pods\` and \`events\`; \`status\`, \`describe\` and \`event\` do without pods, and \`describe\` without events; they then say less |
| \`wait\`, and all with \`--wait\` | \`list\`, \`watch\` the kinds |
| \`log\` | \`get\`, \`list\` the kinds and \`pods\`, with \`--follow\` also \`watch\`; \`get\` \`pods/log\` |
| \`forward\`, \`ui NAME\` | \`get\`, \`list\`, \`watch\` the kinds and \`pods\`; \`get\` and \`create\` \`pods/portforward\`: older API servers ask for the one, newer ones for the other, too |
| \`create\`, \`apply\` | \`get\`, \`create\`, \`patch\` the kinds, with \`--delete-if-exists\` also \`delete\`, \`list\` and \`watch\` |
| \`create --upload-to=pvc://…\` | besides: \`get\` \`persistentvolumeclaims\`; \`create\`, \`list\`, \`watch\`, \`delete\` \`pods\`; \`get\` and \`create\` \`pods/exec\` |
| \`suspend\`, \`resume\`, \`rerun\` | \`patch\` the kinds |
| \`run\` | \`list\`, \`watch\`, \`patch\` \`scheduledsparkapplications\`; \`get\` \`sparkapplications\` |
| \`delete\` | \`delete\` the kinds, with \`-l\` also \`list\` |
| \`ui\` | those of what is looked at and done there; buttons for what the user may not do are off |
| \`doctor\` | any: what the user cannot read is reported as such |
| \`install\`, \`uninstall\` | those of an administrator of the cluster |
| \`render\`, \`validate\`, \`convert\` | none: they ask no cluster |
`;

/** The page of the command line: what each command prints with \`--help\`. */
export function sparkctlPage(root: string): { readonly path: string; readonly text: string } {
  const help = (...command: readonly string[]) => execFileSync(process.execPath, [join(root, 'runtime/sparkctl.cjs'), ...command, '--help'], { encoding: 'utf8' });
  const whole = help();
  const names = [.../^Commands:\n((?: {2}.*\n)+)/m.exec(whole)![1]!.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name!);
  const sections = names.map((name) => `## sparkctl ${name}\n\n\`\`\`\n$ sparkctl ${name} --help\n${help(name)}\`\`\`\n`);
  return { path: 'docs/sparkctl.md', text: [INTRODUCTION, `\`\`\`\n$ sparkctl --help\n${whole}\`\`\`\n`, ...sections].join('\n') };
}
