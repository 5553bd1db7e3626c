import { CLUSTER_OPTIONS } from '../cluster';
import { command } from '../command';
import { editObject } from '../edit/edit';
import { editorOf, openEditor } from '../edit/editor';
import { checkPermission } from '../own-permission';
import { printMessage } from '../output/wrapped-output';
import { titleOf } from '../output/title';
import { onlyTarget } from '../target';
import { printable } from '../../text/printable';

/** `sparkctl edit`. */
export default command({
  usage: 'NAME [options]',
  description: [
    'Opens a SparkApplication in an editor, without its status, and sends the changed fields. schedule/NAME and',
    'connect/NAME are ScheduledSparkApplications and SparkConnects. A changed specification stops the current run of an',
    'application, and runs it again.',
    '',
    'The text is checked as by `sparkctl validate` before it is sent. After an error the editor opens again, with the',
    'reason on top. If you give up then, by saving an unchanged file, the text stays in a file.',
    '',
    'The editor is $KUBE_EDITOR, else $EDITOR, else vi. Its options can follow, such as "code --wait"; no shell expands',
    'them.',
  ].join('\n'),
  options: CLUSTER_OPTIONS,
  examples: [
    ['sparkctl edit pi', 'change a job'],
    ['KUBE_EDITOR="code --wait" sparkctl edit schedule/nightly', 'change a schedule, in another editor'],
  ],
  exitCodes: { 1: 'nothing was changed, as the object does not exist, the text has an error, or the editor failed' },
  async run(values, words, { connect, io, terminal, signal }) {
    const { client, namespace } = await connect(values);
    const target = onlyTarget(words, namespace, ['application', 'schedule', 'connect']);
    const { resource: { group, plural }, ref } = target;
    await checkPermission(client, { group, resource: plural, verb: 'patch', namespace: ref.namespace, name: ref.name }, signal);
    const isChanged = await editObject(target, { client, open: async (path) => openEditor(editorOf(process.env), path), signal });
    const title = printable(titleOf({ kind: target.resource.kind, metadata: target.ref }));
    if (isChanged) printMessage({ io, terminal }, `${title} edited`);
    else io.stderr(`${title}: no changes\n`);
    return 0;
  },
});
