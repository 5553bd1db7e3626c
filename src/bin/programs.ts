/*
 * Parts of other programs that sparkctl uses. Each is loaded when a command needs it: the
 * constructs are the largest part of the file.
 */
import type { StartConsole } from '../sparkctl/console';
import type { SynthesizeOperator } from '../sparkctl/setup/synthesized';

export const startConsole: StartConsole = async (options) => {
  const [{ loadPage }, { startLocalConsole }] = await Promise.all([
    import('../console/server/bundled-page'), import('../console/server/local-console'),
  ]);
  return startLocalConsole({ ...options, loadPage });
};

export const synthesizeOperator: SynthesizeOperator = async ({ given, file }, crds) => {
  const [{ propsOf }, { synthesize }, { programOf }] = await Promise.all([
    import('../constructs/install/values-file'), import('../constructs/install/synthesize'), import('../constructs/install/program'),
  ]);
  return { ...synthesize(propsOf(given, file), crds), ...(file && { program: (comment: readonly string[]) => programOf(file, comment) }) };
};
