/* Jobs and steps that projen's workflows lack; .projenrc.ts calls it. For the reasons see docs/explain/decisions/0014-release.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { github, type cdk8s } from 'projen';

const { READ, WRITE } = github.workflows.JobPermission;

/** Where the operator's images are; the same as IMAGE_REPOSITORY in src/api/operator-image.ts. */
const IMAGE = 'ghcr.io/cdk8s-spark-operator/spark-operator';

const {
  ACTIONS_CHECKOUT: CHECKOUT, ACTIONS_SETUP_NODE: SETUP_NODE, ACTIONS_UPLOAD_ARTIFACT: UPLOAD, ACTIONS_DOWNLOAD_ARTIFACT: DOWNLOAD,
} = github.ActionRefs;
/**
 * Commits of the versions that projen calls actions by. A newer projen might call a newer version:
 * test/release.test.ts reports it.
 */
const PINNED = {
  'actions/setup-node@v7.0.0': '820762786026740c76f36085b0efc47a31fe5020',
  'actions/setup-python@v7.0.0': '5fda3b95a4ea91299a34e894583c3862153e4b97',
  'peter-evans/create-pull-request@v8.1.1': '5f6978faf089d4d20b00c7766989d076bb2fc7f1',
};

/** Version 4.2.2. Without a predicate it signs build provenance, with a certificate for the identity of the workflow. */
const ATTEST = 'actions/attest@1e69f48acb82d1966a394da916b4c1698aa569d6';

/** Dependencies run no code at their installation: no package of this project needs to. */
const INSTALL = 'npm ci --ignore-scripts';
const NO_SCRIPTS = { NPM_CONFIG_IGNORE_SCRIPTS: 'true' };

const script = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

/**
 * Each architecture on a machine of its own kind: the JVM that will use the archive of classes in the image
 * with Spark has to write it.
 */
const ARCHITECTURES = {
  strategy: {
    matrix: { include: [{ architecture: 'amd64', runner: 'ubuntu-latest' }, { architecture: 'arm64', runner: 'ubuntu-24.04-arm' }] },
  },
  runsOn: ['${{ matrix.runner }}'],
};

/** Condition of steps that change something outside of the run. */
const NOT_DRY = '${{ !inputs.dry_run }}';

const LOGIN = {
  name: 'Log in to the image registry',
  if: NOT_DRY,
  env: { TOKEN: '${{ secrets.GITHUB_TOKEN }}' },
  run: `echo "$TOKEN" | docker login ${IMAGE.split('/')[0]} --username "$GITHUB_ACTOR" --password-stdin`,
};

/**
 * Steps of both build and release after projen's own task, which has made the packages and run the unit tests.
 * The tools of other languages are on GitHub's machines.
 */
export const CHECKS = [
  { name: 'Check types, style and generated files', run: 'npm run lint:ci' },
  { name: 'Test the packages, with a dry run of a release', env: NO_SCRIPTS, run: 'npm run test:packages' },
];

const NODE = { name: 'Setup Node.js', uses: SETUP_NODE, with: { 'node-version': '24', 'package-manager-cache': false } };

const buildImage = (push: string) => ({
  name: 'Build the image',
  env: { ARCHITECTURE: '${{ matrix.architecture }}', IMAGE, PUSH: push },
  run: script('build-image.sh'),
});

const SIGN_IMAGE = {
  name: 'Sign the provenance of the image',
  if: NOT_DRY,
  uses: ATTEST,
  with: {
    'subject-name': IMAGE,
    'subject-digest': '${{ steps.tag_the_image.outputs.digest }}',
    'push-to-registry': true,
    'create-storage-record': false,
  },
};

/** Completes projen's workflows for building and releasing. */
export function completeRelease(project: cdk8s.ConstructLibraryCdk8s): void {
  const [hub, release, buildWorkflow] = [project.github!, project.release!, project.buildWorkflow!];
  for (const [action, commit] of Object.entries(PINNED)) hub.actions.set(action, `${action.split('@')[0]}@${commit}`);

  // The Python package is made where the npm package is, from the same compiled constructs, and tested before
  // anything is published.
  const releasing = 'node -e "if (!process.env.CI || !process.env.RELEASE) process.exit(1)"';
  project.packageTask.spawn(project.tasks.tryFind('package:python')!, { condition: releasing });
  // install.yaml and the Helm chart, from the same compiled constructs.
  const helm = project.addTask('package:helm', { description: 'Write install.yaml and the Helm chart', exec: 'node tools/release/chart/main.ts dist/helm' });
  project.packageTask.spawn(helm, { condition: releasing });
  // The notes of a release are those of CHANGELOG.md, not the subjects of commits.
  project.tasks.tryFind('bump')!.exec('node tools/release/notes.ts');

  const condition = release.publisher.condition;
  const artifact = { 'artifact-ids': '${{ needs.release.outputs.artifact_id }}', 'path': 'dist' };
  release.addJobs({
    release_image: {
      name: 'Build image',
      needs: ['release'],
      if: condition,
      environment: 'release',
      permissions: { contents: READ, packages: WRITE },
      ...ARCHITECTURES,
      steps: [
        { name: 'Download build artifacts', uses: DOWNLOAD, with: artifact },
        LOGIN,
        buildImage(NOT_DRY),
        {
          name: 'Upload digests',
          uses: UPLOAD,
          with: { name: 'image-digests-${{ matrix.architecture }}', path: 'digests', overwrite: true },
        },
      ],
    },
    release_image_tags: {
      name: 'Publish image',
      needs: ['release', 'release_image'],
      if: condition,
      environment: 'release',
      permissions: { contents: READ, packages: WRITE, idToken: WRITE, attestations: WRITE },
      runsOn: ['ubuntu-latest'],
      steps: [
        { name: 'Download build artifacts', uses: DOWNLOAD, with: artifact },
        { name: 'Download digests', uses: DOWNLOAD, with: { pattern: 'image-digests-*', path: 'digests' } },
        LOGIN,
        { name: 'Tag the image', id: 'tag_the_image', if: NOT_DRY, env: { IMAGE }, run: script('tag-image.sh') },
        SIGN_IMAGE,
        { name: 'Check that anyone can pull the image', if: NOT_DRY, env: { IMAGE }, run: script('check-image.sh') },
      ],
    },
    // projen's own would install a program that calls npm.
    release_npm: {
      name: 'Publish to npm',
      needs: ['release', 'release_image_tags'],
      if: condition,
      environment: 'release',
      permissions: { contents: READ, idToken: WRITE },
      runsOn: ['ubuntu-latest'],
      steps: [
        NODE,
        { name: 'Download build artifacts', uses: DOWNLOAD, with: artifact },
        { name: 'Release', if: NOT_DRY, env: { PACKAGE: project.package.packageName }, run: script('publish-npm.sh') },
      ],
    },
    // projen's condition would leave out all other jobs, and the run would look like a release.
    release_outdated: {
      name: 'Main has moved on',
      needs: ['release'],
      if: 'needs.release.outputs.latest_commit != github.sha',
      permissions: {},
      runsOn: ['ubuntu-latest'],
      steps: [{
        name: 'Fail',
        run: 'echo "::error::the branch has moved on while this commit was built, so that nothing is released: start the workflow again"; exit 1',
      }],
    },
  });

  // The jobs that build the published packages. An earlier step installs their Node, which the dev dependency
  // `node` would download otherwise.
  const [workflow, buildFile] = [hub.tryFindWorkflow('release')!.file!, hub.tryFindWorkflow('build')!.file!];
  workflow.addOverride('jobs.release.steps.3.run', INSTALL); // their steps "Install dependencies"
  buildFile.addOverride('jobs.build.steps.2.run', INSTALL);
  // Base images get new digests with the other dependencies.
  project.upgradeWorkflow!.postUpgradeTask.exec('node tools/release/pin-base-images.ts', { condition: 'test -n "$GITHUB_ACTIONS"' });

  workflow.addOverride('jobs.release.permissions.contents', 'read');
  workflow.addOverride('jobs.release.if', "github.ref == 'refs/heads/main'");
  workflow.addOverride('jobs.release_github.needs', ['release', 'release_npm', 'release_pypi']);
  // projen's own command, with files for users of Helm and kubectl.
  workflow.addOverride('jobs.release_github.steps.3.run', [
    'tag=$(cat "$RELEASE_TAG_FILE") &&',
    'gh release view "$tag" -R "$GITHUB_REPOSITORY" 2>/dev/null ||',
    'gh release create "$tag" -R "$GITHUB_REPOSITORY" -F "$CHANGELOG_FILE" -t "$tag" --target "$GITHUB_SHA" dist/helm/install.yaml dist/helm/*.tgz',
  ].join('\n'));
  workflow.addOverride('jobs.release_pypi.needs', ['release', 'release_image_tags']);
  workflow.addOverride('jobs.release_pypi.steps.4.if', NOT_DRY); // its step "Release"
  workflow.addOverride('jobs.release_pypi.steps.4.env.NPM_CONFIG_IGNORE_SCRIPTS', 'true');

  // A build makes the images, too, on both architectures.
  buildWorkflow.addPostBuildJob('package-image', {
    permissions: { contents: READ },
    ...ARCHITECTURES,
    steps: [buildImage('false')],
  });
}

/** Tiers by job. Each job has a machine of its own. */
const TEST_JOBS = ['unit differential packages', 'api', 'e2e', 'load'];
/**
 * The cache of the tests: everything they build, keyed by content. The store of the node has files that only
 * root can pack, and is made from the rest.
 */
const CACHE_FOLDER = '~/.cache/cdk8s-spark-operator';
/** Version 5.0.4. */
const RESTORE_CACHE = 'actions/cache/restore@668228422ae6a00e4ad889ee87cd7109ec5666a7';
const SAVE_CACHE = 'actions/cache/save@668228422ae6a00e4ad889ee87cd7109ec5666a7';

const CACHED = [`${CACHE_FOLDER}/*`, `!${CACHE_FOLDER}/containerd-store-*`, `!${CACHE_FOLDER}/clusters`].join('\n');
/** @param matrix the dimension by which the jobs of a workflow differ */
const cacheKey = (matrix: string) => `tests-\${{ matrix.${matrix} }}-\${{ hashFiles('tools/**', 'examples/applications/**', 'Dockerfile', 'package-lock.json') }}`;

/** Restores what earlier runs built, runs a command as root, and saves what it built. */
const withCache = (matrix: string, step: { readonly name: string; readonly command: string; readonly env: Record<string, string> }) => [
  {
    name: 'Restore what earlier runs built',
    uses: RESTORE_CACHE,
    with: { 'path': CACHED, 'key': cacheKey(matrix), 'restore-keys': `tests-\${{ matrix.${matrix} }}-` },
  },
  { name: 'Install dependencies', run: 'npm ci' },
  {
    name: step.name,
    env: step.env,
    run: `sudo env "PATH=$PATH" CI=true "XDG_CACHE_HOME=$HOME/.cache" ${step.command}`,
  },
  // Also after a failure: what is built does not depend on whether tests pass.
  { name: 'Make the cache readable', if: 'always()', run: `sudo chown -R "$USER" ${CACHE_FOLDER}` },
  { name: 'Save what this run built', if: 'always()', uses: SAVE_CACHE, with: { path: CACHED, key: cacheKey(matrix) } },
];
const ON_A_MACHINE = { permissions: { contents: READ }, runsOn: ['ubuntu-latest'], timeoutMinutes: 90 };

/** Adds a workflow for all tiers, with the real API server and the real node: too long for each pull request. */
export function allTests(project: cdk8s.ConstructLibraryCdk8s): void {
  const workflow = new github.GithubWorkflow(project.github!, 'all-tests');
  workflow.on({ push: { branches: ['main'] }, workflowDispatch: {} });
  workflow.addJob('lint', {
    ...ON_A_MACHINE,
    steps: [
      { name: 'Checkout', uses: CHECKOUT },
      NODE,
      { name: 'Install dependencies', run: 'npm ci' },
      { name: 'Check types, style and generated files', run: 'npm run lint:ci' },
    ],
  });
  workflow.addJob('all-tests', {
    ...ON_A_MACHINE,
    strategy: { failFast: false, matrix: { domain: { tiers: TEST_JOBS } } },
    env: { CI: 'true' },
    steps: [
      { name: 'Checkout', uses: CHECKOUT },
      NODE,
      ...withCache('tiers', { name: 'Run the tests', env: { TIERS: '${{ matrix.tiers }}' }, command: 'npm test -- $TIERS' }),
    ],
  });
}

/** Adds a workflow that runs kubeflow's end-to-end suite against this operator: see docs/explain/compatibility.md. */
export function kubeflowSuite(project: cdk8s.ConstructLibraryCdk8s): void {
  const workflow = new github.GithubWorkflow(project.github!, 'kubeflow-suite');
  workflow.on({
    schedule: [{ cron: '0 3 * * 1' }],
    workflowDispatch: { inputs: { ref: { description: 'Branch, tag or commit of kubeflow/spark-operator; its default branch if empty', type: 'string', required: false } } },
  });
  workflow.addJob('kubeflow-suite', {
    ...ON_A_MACHINE,
    strategy: { failFast: false, matrix: { domain: { submission: ['native', 'spark-submit'] } } },
    env: { CI: 'true' },
    steps: [
      { name: 'Checkout', uses: CHECKOUT },
      {
        name: 'Checkout kubeflow/spark-operator',
        uses: CHECKOUT,
        with: { 'repository': 'kubeflow/spark-operator', 'ref': '${{ inputs.ref }}', 'path': 'kubeflow', 'persist-credentials': false },
      },
      NODE,
      ...withCache('submission', {
        name: 'Run the suite',
        env: { SUBMISSION: '${{ matrix.submission }}' },
        command: 'npm run test:kubeflow -- kubeflow --submission "$SUBMISSION"',
      }),
      { name: 'Upload the results', if: 'always()', uses: UPLOAD, with: { name: 'kubeflow-suite-${{ matrix.submission }}', path: 'test-reports/kubeflow-*' } },
      { name: 'Compare the CRDs', if: 'always()', run: 'npm run compare:kubeflow -- kubeflow' },
    ],
  });
}

/** Versions 5.0.0 of both. */
const UPLOAD_PAGES = 'actions/upload-pages-artifact@fc324d3547104276b827a68afc52ff2a11cc49c9';
const DEPLOY_PAGES = 'actions/deploy-pages@cd2ce8fcbc39b97be8ca5fce6e763baed58fa128';

/** Chrome on GitHub's machines; tests use Debian's Chromium elsewhere. */
const CHROME = '/usr/bin/google-chrome';

/** Adds a workflow that builds and checks the documentation site, for each pull request, and deploys that of main to GitHub Pages. */
export function site(project: cdk8s.ConstructLibraryCdk8s): void {
  const workflow = new github.GithubWorkflow(project.github!, 'site', { limitConcurrency: true, concurrencyOptions: { group: 'site-${{ github.ref }}', cancelInProgress: true } });
  workflow.on({ push: { branches: ['main'] }, pullRequest: {}, workflowDispatch: {} });
  workflow.addJob('build', {
    permissions: { contents: READ },
    runsOn: ['ubuntu-latest'],
    steps: [
      { name: 'Checkout', uses: CHECKOUT },
      NODE,
      { name: 'Install dependencies', run: INSTALL },
      // The test builds it.
      { name: 'Build and check the site', env: { CHROMIUM: CHROME }, run: 'npm run test:site' },
      { name: 'Upload screenshots of failures', if: 'failure()', uses: UPLOAD, with: { 'name': 'site-screenshots', 'path': 'test-reports/site', 'if-no-files-found': 'ignore' } },
      { name: 'Upload the site', uses: UPLOAD_PAGES, with: { path: 'site/html' } },
    ],
  });
  workflow.addJob('deploy', {
    needs: ['build'],
    if: "github.ref == 'refs/heads/main'",
    permissions: { pages: WRITE, idToken: WRITE },
    environment: 'github-pages',
    runsOn: ['ubuntu-latest'],
    steps: [{ name: 'Deploy to GitHub Pages', uses: DEPLOY_PAGES }],
  });
}
