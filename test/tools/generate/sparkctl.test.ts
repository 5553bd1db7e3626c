import { commandRows } from '../../../tools/generate/sparkctl';

const HELP = `Runs Apache Spark.

Usage: sparkctl COMMAND …

Commands:
  create      create applications from manifests, with local
              files uploaded first
  list        list applications (or: ls,
              get)

Options:
  --version   print the version
`;

test('a command of the help is a row, also if its summary has several lines; an option is none', () => {
  expect(commandRows(HELP)).toEqual([
    { name: 'create', summary: 'create applications from manifests, with local files uploaded first' },
    { name: 'list', summary: 'list applications (or: ls, get)' },
  ]);
});
