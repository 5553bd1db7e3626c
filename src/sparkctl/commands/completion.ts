import { command } from '../command';
import { scriptFor, SHELLS, type Shell } from '../completion/scripts';
import { UsageError } from '../../text/usage-error';

/** `sparkctl completion`. */
export default command({
  usage: 'bash|zsh|fish',
  description: [
    'Prints a script with which a shell completes command lines of sparkctl: commands, options, their values, and the',
    'names of applications, schedules, namespaces and contexts, which it reads from the cluster.',
  ].join('\n'),
  options: {},
  examples: [
    ['source <(sparkctl completion bash)', 'in ~/.bashrc'],
    ['source <(sparkctl completion zsh)', 'in ~/.zshrc, after compinit'],
    ['sparkctl completion zsh > "${fpath[1]}/_sparkctl"', 'for zsh, without running sparkctl in each new shell'],
    ['sparkctl completion fish > ~/.config/fish/completions/sparkctl.fish', 'for fish'],
  ],
  exitCodes: {},
  run: async (_, [shell, ...others], { io }) => {
    if (shell === undefined || others.length > 0) throw new UsageError(`name one shell: ${SHELLS.join(', ')}`);
    if (!(SHELLS as readonly string[]).includes(shell)) throw new UsageError(`there is no script for the shell ${shell}; write ${SHELLS.join(', ')}`);
    io.stdout(scriptFor(shell as Shell));
    return 0;
  },
});
