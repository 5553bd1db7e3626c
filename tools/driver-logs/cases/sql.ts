import type { Case } from '../case.ts';

export const SQL_CASES: readonly Case[] = [
  { name: 'sql-parse-error', spark: '3.5.8', program: 'sql/parse_error.sql', exitCode: 1, contains: 'PARSE_SYNTAX_ERROR' },
  { name: 'sql-missing-table', spark: '4.1.1', program: 'sql/missing_table.sql', exitCode: 1, contains: 'TABLE_OR_VIEW_NOT_FOUND' },
  { name: 'sql-cast-error', spark: '4.3.0', program: 'sql/cast_error.sql', exitCode: 1, contains: 'CAST_INVALID_INPUT' },
  { name: 'sql-divide-by-zero', spark: '4.0.2', program: 'sql/divide_by_zero.sql', exitCode: 1, contains: 'DIVIDE_BY_ZERO' },
  {
    name: 'sql-missing-file', spark: '4.1.1', program: 'sql/divide_by_zero.sql', args: ['-f', '/opt/spark/work-dir/daily.sql'],
    exitCode: 3, contains: 'daily.sql',
  },
];
