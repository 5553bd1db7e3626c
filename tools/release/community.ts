/* Forms for issues and pull requests; .projenrc.ts calls it. */
import { YamlFile, type Project } from 'projen';

export const CONTRIBUTOR_STATEMENT = 'By submitting this pull request I confirm that I can give this contribution, and that it is under the Apache-2.0 license.';

export const PULL_REQUEST_TEMPLATE = [
  '## Change and reason',
  '',
  'Fixes #',
  '',
  '## Before review',
  '',
  '- [ ] a bug has a test that failed before the fix; a new field went its whole way, as in CONTRIBUTING.md',
  '- [ ] `npm run lint:ci` and `npm test` pass, or this text names the tier that could not run',
  '- [ ] users who notice a difference find it under "Unreleased" in CHANGELOG.md, and what they have to do in docs/operate/upgrade.md',
];

const text = (id: string, label: string, description: string, required = true) => (
  { type: 'textarea', id, attributes: { label, description }, validations: { required } }
);

/** Adds the forms of GitHub to a project. */
export function issueForms(project: Project): void {
  const form = (file: string, obj: object) => new YamlFile(project, `.github/ISSUE_TEMPLATE/${file}.yml`, { obj, committed: true });
  form('bug', {
    name: 'Something does not work',
    description: 'The constructs, the operator or sparkctl behave differently from their documentation',
    labels: ['bug'],
    body: [
      { type: 'markdown', attributes: { value: 'A weakness that others could use? Please report it privately: see SECURITY.md. Leave secrets out of everything that you paste here.' } },
      text('what', 'Observed and expected behaviour', 'With the error, if there is one, word for word.'),
      text('how', 'How to see it', 'The shortest program or manifest that shows it. `npx --package cdk8s-spark-operator sparkctl render` often shows it without a cluster.'),
      text('resource', 'The resource and its events', 'For an application that does not run: `kubectl describe sparkapp NAME`, and the lines of the operator\'s log with its name.', false),
      { type: 'input', id: 'versions', attributes: { label: 'Versions', description: 'Versions of this package, Kubernetes, Spark, and Node' }, validations: { required: true } },
    ],
  });
  form('wish', {
    name: 'Something is missing',
    description: 'A field, a construct, a behaviour',
    labels: ['enhancement'],
    body: [
      text('task', 'The task', 'The task, rather than the feature: there might already be a way.'),
      text('proposal', 'How it could look', 'A program or a manifest as you would like to write it.', false),
    ],
  });
  form('config', {
    blank_issues_enabled: true,
    contact_links: [{ name: 'A weakness in security', url: 'https://github.com/cdk8s-spark-operator/cdk8s-spark-operator/security/advisories/new', about: 'Please report it privately first' }],
  });
}
