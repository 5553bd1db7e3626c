/* What projen's workflows do not do by themselves; .projenrc.js calls it. Why it is like this: docs/decisions/0014-release.md. */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { github } = require('projen');

/** Where the operator's images are; the same as IMAGE_REPOSITORY in src/constructs/_package.ts. */
const IMAGE = 'ghcr.io/cdk8s-spark-operator/spark-operator';

const { ACTIONS_UPLOAD_ARTIFACT: UPLOAD, ACTIONS_DOWNLOAD_ARTIFACT: DOWNLOAD } = github.ActionRefs;
const script = (name) => readFileSync(join(__dirname, name), 'utf8');

/** Each architecture on a machine of its own kind: the archive of classes in the image with Spark is made by the JVM that is to use it. */
const ARCHITECTURES = {
  strategy: { matrix: { include: [{ architecture: 'amd64', runner: 'ubuntu-latest' }, { architecture: 'arm64', runner: 'ubuntu-24.04-arm' }] } },
  runsOn: ['${{ matrix.runner }}'],
};

const LOGIN = {
  name: 'Log in to the image registry',
  if: '${{ !inputs.dry_run }}',
  env: { TOKEN: '${{ secrets.GITHUB_TOKEN }}' },
  run: `echo "$TOKEN" | docker login ${IMAGE.split('/')[0]} --username "$GITHUB_ACTOR" --password-stdin`,
};

const buildImage = (push) => ({
  name: 'Build the images',
  env: { ARCHITECTURE: '${{ matrix.architecture }}', IMAGE, PUSH: push },
  run: script('build-image.sh'),
});

function completeRelease(project) {
  const { release, buildWorkflow } = project;

  // The Python package is made where the npm package is, from the same compiled constructs, and tested before anything is published.
  project.packageTask.spawn(project.tasks.tryFind('package:python'), { condition: 'node -e "if (!process.env.CI || !process.env.RELEASE) process.exit(1)"' });
  // What the release says of itself is what people wrote, not what the commits were called.
  project.tasks.tryFind('bump').exec('node tools/release/notes.ts');

  const condition = release.publisher.condition;
  const artifact = { 'artifact-ids': '${{ needs.release.outputs.artifact_id }}', 'path': 'dist' };
  release.addJobs({
    release_image: {
      name: 'Build images',
      needs: ['release'],
      if: condition,
      environment: 'release',
      permissions: { contents: 'read', packages: 'write' },
      ...ARCHITECTURES,
      steps: [
        { name: 'Download build artifacts', uses: DOWNLOAD, with: artifact },
        LOGIN,
        buildImage('${{ !inputs.dry_run }}'),
        { name: 'Upload digests', uses: UPLOAD, with: { 'name': 'image-digests-${{ matrix.architecture }}', 'path': 'digests', 'overwrite': true } },
      ],
    },
    release_image_tags: {
      name: 'Publish images',
      needs: ['release', 'release_image'],
      if: condition,
      environment: 'release',
      permissions: { contents: 'read', packages: 'write' },
      runsOn: ['ubuntu-latest'],
      steps: [
        { name: 'Download build artifacts', uses: DOWNLOAD, with: artifact },
        { name: 'Download digests', uses: DOWNLOAD, with: { pattern: 'image-digests-*', path: 'digests' } },
        LOGIN,
        { name: 'Tag the images', if: '${{ !inputs.dry_run }}', env: { IMAGE }, run: script('tag-images.sh') },
      ],
    },
  });
  // No registry is named: npm's own is publib's default, too.
  release.publisher.publishToNpm({ trustedPublishing: true });

  const workflow = project.github.tryFindWorkflow('release').file;
  workflow.addOverride('jobs.release.permissions.contents', 'read');
  workflow.addOverride('jobs.release.if', "github.ref == 'refs/heads/main' || inputs.dry_run");
  workflow.addOverride('jobs.release_npm.needs', ['release', 'release_image_tags']);
  workflow.addOverride('jobs.release_pypi.needs', ['release', 'release_image_tags']);

  // A pull request gets all that a release does without an account. projen's own jobs have made the npm and the Python package by then.
  buildWorkflow.addPostBuildSteps(
    { name: 'Check types, style and generated files', run: 'npm run lint:ci' },
    { name: 'Dry run of a release', run: 'npm run test:packages -- -- --testPathPatterns packages/release' },
  );
  buildWorkflow.addPostBuildJob('package-image', {
    permissions: { contents: 'read' },
    ...ARCHITECTURES,
    steps: [buildImage('false')],
  });
}

module.exports = { completeRelease };
