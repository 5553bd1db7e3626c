import { NotShown, type Output, type Piece } from './output';
import { titleOf, type Submission } from './submission';
import { yamlText } from '../../text/yaml';
import { planNative } from '../../plan/plan';

/** Objects that are created for an application, in this order. */
interface Created {
  readonly title: string;
  readonly objects: readonly object[];
}

/** Output of the objects as a stream of YAML documents. */
export const YAML: Output<Created> = {
  render: created,
  join: (applications) => applications
    .map(({ title, objects }) => `# ${title}\n${objects.map(yamlText).join('---\n')}`)
    .join('---\n'),
};

/** Output of the objects as one List, like `kubectl get -o json`. */
export const JSON_LIST: Output<Created> = {
  render: created,
  join(applications) {
    const items = applications.flatMap(({ objects }) => objects);
    return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, undefined, 2)}\n`;
  },
};

/** Output of the driver's Spark properties from its ConfigMap. */
export const PROPERTIES: Output<string> = {
  render(submission) {
    const { content: { title, objects }, warnings } = created(submission);
    return { content: `# ${title}\n${propertiesIn(objects)}`, warnings };
  },
  join: (files) => files.join('\n'),
};

function created(submission: Submission): Piece<Created> {
  if (submission.bySparkSubmit !== undefined) {
    throw new NotShown('spark-submit creates the objects, so they are unknown; use --output=spark-submit to print its command');
  }
  const { resources, driver, warnings } = planNative(submission.prepared);
  return { content: { title: titleOf(submission), objects: [...resources, driver] }, warnings };
}

const FILE = 'spark.properties';

function propertiesIn(objects: readonly object[]): string {
  for (const { data } of objects as readonly { readonly data?: Readonly<Record<string, string>> }[]) {
    if (data?.[FILE] !== undefined) return data[FILE];
  }
  throw new Error(`no ConfigMap has a file ${FILE}`);
}
