import { cdk8s, github, javascript, JsonFile, release } from 'projen';
import { CONTRIBUTOR_STATEMENT, PULL_REQUEST_TEMPLATE, issueForms } from './tools/release/community.ts';
import { CHECKS, allTests, completeRelease, kubeflowSuite, site } from './tools/release/workflows.ts';

/** Sources that esbuild bundles into programs. jsii compiles what constructs import of them. */
const PROGRAM_FOLDERS = ['bin', 'operator', 'sparkctl', 'console', 'client', 'explain', 'flags', 'plan', 'model', 'text', 'kube'].map((folder) => `src/${folder}`);

const FILE = '.projenrc.ts';

const project = new cdk8s.ConstructLibraryCdk8s({
  name: 'cdk8s-spark-operator',
  description: 'A Kubernetes operator for Apache Spark, and CDK8s constructs that write its manifests from TypeScript or Python.',
  author: 'The cdk8s-spark-operator authors',
  authorAddress: 'cdk8s-spark-operator@users.noreply.github.com',
  authorOrganization: true,
  repositoryUrl: 'https://github.com/cdk8s-spark-operator/cdk8s-spark-operator.git',
  license: 'Apache-2.0',
  copyrightOwner: 'The cdk8s-spark-operator authors',
  copyrightPeriod: '2026',
  keywords: ['cdk8s', 'spark', 'apache-spark', 'kubernetes', 'operator', 'spark-operator'],
  defaultReleaseBranch: 'main',

  packageManager: javascript.NodePackageManager.NPM,
  minNodeVersion: '20.0.0',
  jsiiVersion: '~6.0.0',
  typescriptVersion: '~6.0.0',
  projenVersion: '0.103.25',
  cdk8sVersion: '2.70.0',
  constructsVersion: '10.3.0',
  // jsii requires dependencies that are not peers to be in the package; see docs/explain/decisions/0015-cron.md.
  bundledDeps: ['croner@^11.0.1'],
  devDeps: [
    'cdk8s-plus-27@2.9.5',
    // The types of the package for Python are checked with it.
    'pyright@^1.1',
    // Node 24 for everything that runs the operator, whatever Node the machine has.
    'node@^24',
    '@types/node@^24',
    // Bundled into runtime/*.cjs; never a dependency of the constructs.
    '@kubernetes/client-node@^2.0.1',
    '@bufbuild/protobuf@^2.10.0',
    'esbuild',
    'pino',
    'prom-client',
    'undici@^8.7.0',
    'yaml',
    'ws@^8.18.0',
    '@types/ws@^8',
    'aws4fetch@^1.0.20',
    'preact@^10',
    'jest@^30',
    '@swc/core@^1',
    '@swc/jest@^0.2',
    '@types/jest@^30',
    'fast-check',
    'playwright-core',
    'axe-core',
    // Builds the documentation site, see docs/explain/decisions/0037-site.md.
    'vitepress@^1.6.4',
  ],
  // The jobs that can publish install no dependency of the project: they upload what an earlier job has
  // built and tested.
  publishToPypi: { distName: 'cdk8s-spark-operator', module: 'cdk8s_spark_operator', trustedPublishing: true, prePublishSteps: [] },
  releaseToNpm: false, // see completeRelease
  projenrcJsOptions: { filename: FILE },

  // Releases: docs/explain/decisions/0014-release.md.
  releaseTrigger: release.ReleaseTrigger.workflowDispatch(),
  nextVersionCommand: 'node tools/release/next-version.ts',
  releaseEnvironment: 'release',
  jsiiReleaseVersion: '0.2.1061',
  postBuildSteps: CHECKS,
  workflowNodeVersion: '24',
  // A pull request with stale generated files fails; nothing is pushed to it.
  buildWorkflowOptions: {
    mutableBuild: false,
    permissions: { contents: github.workflows.JobPermission.READ },
    workflowTriggers: { pullRequest: {}, workflowDispatch: {}, push: { branches: ['main'] } },
  },
  githubOptions: { mergify: false, pullRequestLintOptions: { semanticTitle: false, contributorStatement: CONTRIBUTOR_STATEMENT } },
  pullRequestTemplateContents: PULL_REQUEST_TEMPLATE,
  depsUpgradeOptions: { workflowOptions: { schedule: javascript.UpgradeDependenciesSchedule.WEEKLY } },

  // jsii compiles the modules that users import. The operator and the tools have a stricter configuration,
  // tsconfig.dev.json.
  tsconfig: {
    // Source maps would make lib/ four times as large in the tarball, and its code is that of the sources
    // without types.
    compilerOptions: { module: 'node20', lib: ['es2022'], inlineSourceMap: false, inlineSources: false },
    // Also files that index.ts does not reach: the generators read lib/api, and the client loads lib/props.
    include: ['src/index.ts', 'src/api/**/*.ts', 'src/props/**/*.ts'],
    exclude: ['node_modules'],
  },
  docgen: false, // `generate` writes the pages of the API together with the CRDs and the reference docs
  integrationTestAutoDiscover: false,
  jest: false,
  eslint: true,
  eslintOptions: {
    dirs: ['src', 'test', 'tools', 'examples'],
    tsconfigPath: './tsconfig.dev.json',
    devdirs: [...PROGRAM_FOLDERS, 'src/constructs/install', 'test', 'tools', 'examples'],
    fileExtensions: ['.ts', '.tsx', '.mts'],
    commandOptions: { fix: false },
  },
  sampleCode: false,
  disableTsconfigDev: true,
  gitignore: ['/runtime/', '/test-reports/', '/site/', '/examples/dist/', '*.tgz', '__pycache__/', '.DS_Store', '!/test/explain/driver-logs/*.log'],
});

// jsii compiles what users import, what that imports, the rules that generators read, and the props for the client.
project.tsconfig!.removeInclude('src/**/*.ts');

const eslint = project.eslint!;
// Matters of taste that the code settles case by case.
const LONG_TEXTS = { ignoreStrings: true, ignoreTemplateLiterals: true, ignoreComments: true, ignoreRegExpLiterals: true };
eslint.addRules({
  '@stylistic/object-property-newline': 'off',
  '@stylistic/max-len': ['error', { code: 180, ...LONG_TEXTS }],
  'import/order': 'off',
  '@typescript-eslint/return-await': 'off',
  '@typescript-eslint/member-ordering': 'off',
});
eslint.addOverride({
  files: ['src/**'],
  excludedFiles: ['src/k8s/**'],
  // The JSON of @validation is a single line. Messages and CEL expressions are easier to read and to find as one text.
  rules: { '@stylistic/max-len': ['error', { ...LONG_TEXTS, code: 140, comments: 100, ignoreComments: false, ignorePattern: '@validation' }] },
});
eslint.allowDevDeps('**/tools/**');
eslint.allowDevDeps('**/examples/**');
// tools/package.json only marks them as modules.
eslint.rules['import/no-extraneous-dependencies'][1].packageDir = './';
// One project for all files. The language server would find tsconfig.json, which leaves the operator and
// the tests out.
eslint.config.parserOptions = {
  ecmaVersion: 2022,
  sourceType: 'module',
  project: ['./tsconfig.dev.json', './src/console/page/tsconfig.json'],
};
eslint.addIgnorePattern('/lib/');
eslint.addIgnorePattern('/examples/dist/');

new JsonFile(project, 'tsconfig.dev.json', {
  obj: {
    compilerOptions: {
      target: 'es2023',
      lib: ['es2023'],
      module: 'preserve',
      moduleResolution: 'bundler',
      types: ['node', 'jest'],
      strict: true,
      noUncheckedIndexedAccess: true,
      noFallthroughCasesInSwitch: true,
      noImplicitReturns: true,
      noImplicitOverride: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      esModuleInterop: true,
      isolatedModules: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: [FILE, 'src/**/*.ts', 'test/**/*.ts', 'tools/**/*.ts', 'examples/**/*.mts'],
    exclude: ['node_modules', 'lib'],
  },
});
// Node runs the TypeScript files of these folders without a build.
for (const folder of ['tools', 'src/kube/x509']) new JsonFile(project, `${folder}/package.json`, { obj: { private: true, type: 'module' } });

// Tests are TypeScript, transpiled only: `npm run lint` checks the types. Six tiers, see tools/test.
const tier = (name: string, match: readonly string[], extra: object = {}) => ({
  displayName: name,
  testMatch: match.map((m) => `<rootDir>/test/${m}`),
  transform: {
    '^.+\\.ts$': ['@swc/jest', {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
      module: { type: 'commonjs' },
      sourceMaps: 'inline',
    }],
  },
  moduleNameMapper: { '^fast-check$': '<rootDir>/test/helpers/fast-check.cjs' },
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/helpers/compile.ts',
  setupFilesAfterEnv: ['<rootDir>/test/helpers/times.ts'],
  ...extra,
});
const WITH_CLUSTER = { globalSetup: '<rootDir>/test/helpers/definitions.ts' };
new JsonFile(project, 'jest.config.json', {
  obj: {
    projects: [
      tier('unit', ['**/*.test.ts'], {
        testPathIgnorePatterns: [
          '/node_modules/',
          ...['load', 'differential', 'packages', 'api', 'e2e'].map((name) => `<rootDir>/test/${name}/`),
        ],
      }),
      tier('load', ['load/**/*.test.ts']),
      tier('differential', ['differential/**/*.test.ts']),
      tier('packages', ['packages/**/*.test.ts']),
      tier('api', ['api/**/*.test.ts'], WITH_CLUSTER),
      tier('e2e', ['e2e/**/*.test.ts'], WITH_CLUSTER),
    ],
  },
  marker: false,
});

// `compile` makes lib/ (jsii) and runtime/ (esbuild); `generate` writes the checked-in outputs.
project.postCompileTask.exec('node tools/build/bundle.ts');
project.postCompileTask.exec('node tools/build/client-types.ts');
for (const [name, command] of Object.entries({
  'compile': 'node tools/build/main.ts',
  'generate': 'node tools/generate/main.ts',
  'generate:kubernetes': 'node tools/kubernetes-types/main.ts',
  'compare:kubeflow': 'node tools/kubeflow/compare-crds.ts',
  'cluster': 'node tools/local-cluster/main.ts',
  'demo': 'node tools/demo/main.ts',
  'docs:site': 'node tools/site/main.ts',
  'bench': 'node tools/bench/main.ts',
  'bench:start': 'node tools/bench/start/main.ts',
  'test': 'node tools/test/main.ts',
  'test:quick': 'node tools/test/main.ts --quick',
  'test:unit': 'node tools/test/main.ts unit',
  'test:load': 'node tools/test/main.ts load',
  'test:differential': 'node tools/test/main.ts differential',
  'test:packages': 'node tools/test/main.ts packages',
  'test:api': 'node tools/test/main.ts api',
  'test:e2e': 'node tools/test/main.ts e2e',
  'test:site': 'SITE_PAGES=all node node_modules/jest/bin/jest.js --ci --selectProjects api --testTimeout=60000 --testPathPatterns test/api/site.test',
  'test:kubeflow': 'node tools/kubeflow/main.ts',
  'lint:ci': 'npm run compile && npm run lint && npm run generate -- --check',
  'lint': [
    'tsc -p tsconfig.dev.json',
    'tsc -p src/console/page',
    'node tools/lint/words.ts',
    `ESLINT_USE_FLAT_CONFIG=false NODE_NO_WARNINGS=1 eslint --ext .ts,.tsx,.mts --max-warnings 0 ${FILE} src test tools examples`,
  ].join(' && '),
})) project.setScript(name, command);
project.testTask.reset('node tools/test/main.ts unit');

// Version 1.13 is not published for every platform everywhere, and `npm ci` rejects a lock file without
// those builds.
project.package.addPackageResolutions('unrs-resolver@1.11.1');

project.npmignore!.addPatterns(
  '!/runtime/*.cjs', '!/runtime/LICENSES.txt', '!/crds/', '!/schemas/', '!/fast-start/', '/examples/', '/tools/', '/bench/', '/test-reports/', '/site/',
  '/jest.config.json', '/.ci/', '/runtime/.sources', '/tsconfig.dev.json', '/CONTRIBUTING.md', '/docs/explain/decisions/', '/docs/images/',
);
// Not published, but users can generate them from the package (jsii-pacmak); test/packages does.
Object.assign(project.package.manifest.jsii.targets, {
  java: {
    package: 'io.github.cdk8s_spark_operator',
    maven: { groupId: 'io.github.cdk8s-spark-operator', artifactId: 'cdk8s-spark-operator' },
  },
  go: { moduleName: 'github.com/cdk8s-spark-operator/cdk8s-spark-operator-go' },
});
project.addFields({
  bin: { 'spark-operator': 'runtime/operator.cjs', 'sparkctl': 'runtime/sparkctl.cjs' },
  // Also lets examples/ import the package by its name, as users do.
  exports: {
    '.': { types: './lib/index.d.ts', default: './lib/index.js' },
    './client': { types: './lib/client/index.d.ts', default: './runtime/client.cjs' },
    './package.json': './package.json',
    './.jsii': './.jsii',
    './crds/*': './crds/*',
    './schemas/*': './schemas/*',
  },
});
// The root package cannot be a module (jsii), so Node finds out from the syntax that this file is one.
project.defaultTask!.env('NODE_OPTIONS', '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON');
completeRelease(project);
allTests(project);
kubeflowSuite(project);
site(project);
issueForms(project);
project.synth();
