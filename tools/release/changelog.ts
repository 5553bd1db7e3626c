/** Section of CHANGELOG.md about one version. */
export interface Release {
  readonly version: string;
  /** Without the heading. */
  readonly notes: string;
}

/**
 * The newest version in a changelog: the first heading such as `## 1.2.0 (2026-03-01)`. The section "Unreleased" is ignored.
 *
 * @throws Error if there is none, or it is empty
 */
export function newestRelease(changelog: string): Release {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((candidate) => !/^Unreleased\b/.test(candidate));
  if (section === undefined) throw new Error('CHANGELOG.md has no released version: write the one to release, with the date, as a heading below "## Unreleased"');
  const [heading = '', ...lines] = section.split('\n');
  const [, version] = /^(\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/.exec(heading.trim()) ?? [];
  if (version === undefined) throw new Error(`CHANGELOG.md has the heading "## ${heading.trim()}"; it has to be "## Unreleased" or such as "## 1.2.0 (2026-03-01)"`);
  const notes = lines.join('\n').trim();
  if (notes === '') throw new Error(`CHANGELOG.md has no text for ${version}`);
  return { version, notes };
}

/**
 * Returns the newest version in the changelog, which must come after another one.
 *
 * @param current the last version released; 0.0.0 if there is none
 * @throws Error if the changelog has none that is newer
 */
export function nextVersion(changelog: string, current: string): string {
  const { version } = newestRelease(changelog);
  if (compare(version, current) <= 0) {
    throw new Error(`CHANGELOG.md has no version after ${current}: its newest is ${version}. Put the one to release, with the date, as a heading between "## Unreleased" and what is in it`);
  }
  return version;
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map((part) => parseInt(part, 10)));
  const index = left!.findIndex((part, at) => part !== right![at]);
  return index < 0 ? 0 : left![index]! - right![index]!;
}
