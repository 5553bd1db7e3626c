/** Report of jest, as far as it is read. */
export interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly numPendingTests: number;
  readonly numTotalTests: number;
  readonly testResults: readonly {
    /** Path of the file. */
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Returns the paths of files that failed, also before their first test. */
export function filesWithFailures({ testResults }: Report): string[] {
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
}

/** Returns the names of tests that failed at first and passed when their files ran again, and of files that failed before their tests. */
export function flakyTests(first: Report, again: Report | undefined): string[] {
  const passed = new Set(namesWith(again, 'passed'));
  const passedFiles = new Set(again?.testResults.filter(({ status }) => status === 'passed').map(({ name }) => name));
  const brokenFiles = first.testResults.filter(({ name, assertionResults }) => passedFiles.has(name) && !assertionResults.some(({ status }) => status === 'failed'));
  return [
    ...namesWith(first, 'failed').filter((name) => passed.has(name)),
    ...brokenFiles.filter(({ status }) => status === 'failed').map(({ name }) => shortened(name)),
  ];
}

function namesWith(report: Report | undefined, wanted: string): string[] {
  return (report?.testResults ?? []).flatMap(({ name: file, assertionResults }) => (
    assertionResults.filter(({ status }) => status === wanted).map(({ fullName }) => `${shortened(file)}: ${fullName}`)
  ));
}

function shortened(file: string): string {
  return file.replace(/^.*\/test\//, '');
}
