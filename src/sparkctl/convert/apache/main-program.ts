import type { Conf } from './spark-conf-rules';
import type { OnNote } from '../specification';

/** Class with which Spark runs Python programs. */
const PYTHON_RUNNER = 'org.apache.spark.deploy.PythonRunner';

/** Field with the program in Apache's kind. */
export type ProgramField = 'jars' | 'pyFiles' | 'sparkRFiles';

/** Program of an application. */
export interface Program {
  readonly type: 'Java' | 'Python' | 'R';
  /** Field that it comes from; undefined for a class of Spark itself. */
  readonly source: ProgramField | undefined;
  readonly mainApplicationFile: string;
  readonly deps: Readonly<Record<string, readonly string[]>>;
  /** Changed properties. */
  readonly conf: Conf;
  /** Whether `mainClass` has a meaning. */
  readonly hasClass: boolean;
}

/** Texts of a specification from which the program follows. */
export type ProgramFields = Readonly<Partial<Record<ProgramField | 'files' | 'mainClass', string>>>;

/**
 * Returns the program of an application as Apache's operator chooses it: jars, then Python files,
 * then R files (SparkAppSubmissionWorker.buildDriverConf). `sparkConf` takes precedence over the
 * fields there, so its lists stay.
 */
export function programOf(spec: ProgramFields, sparkConf: Conf, addNote: OnNote): Program {
  const source = (['jars', 'pyFiles', 'sparkRFiles'] as const).find((field) => spec[field]);
  for (const field of ['pyFiles', 'sparkRFiles'] as const) {
    if (spec[field] && field !== source) {
      const remedy = `write it into ${OTHERWISE[field]} if it is needed`;
      addNote('warning', `spec.${field}`, `is dropped: Apache's operator ignores it with ${source}; ${remedy}`);
    }
  }
  const program = source === undefined ? withoutFile() : { source, ...BY_FIELD[source](listOf(spec[source]!), spec, sparkConf, addNote) };
  if (spec.mainClass !== undefined && !program.hasClass) {
    addNote('note', 'spec.mainClass', `is dropped: type ${program.type} implies Spark's own class`);
  }
  return { ...program, deps: { ...program.deps, ...filesOf(spec, sparkConf, addNote) } };
}

const OTHERWISE = { pyFiles: 'deps.pyFiles', sparkRFiles: 'deps.files' };

type Found = Omit<Program, 'source'>;
type Convert = (files: readonly string[], spec: ProgramFields, sparkConf: Conf, addNote: OnNote) => Found;

const BY_FIELD: Readonly<Record<ProgramField, Convert>> = {
  // The order of spark.jars stays, as Spark appends the main file.
  jars: (files, _spec, sparkConf) => {
    const [others, main] = [files.slice(0, -1), files.at(-1)!];
    const given = sparkConf['spark.jars'];
    const isMerged = given !== undefined && others.length > 0;
    return {
      type: 'Java', mainApplicationFile: main, hasClass: true, deps: listed('jars', given === undefined ? others : []),
      conf: isMerged ? { 'spark.jars': [given, ...others].filter(Boolean).join() } as Conf : {},
    };
  },
  pyFiles: (files, { mainClass }, sparkConf, addNote) => {
    const isRunner = mainClass === PYTHON_RUNNER;
    if (!isRunner && files.length > 1) {
      addNote('warning', 'spec.pyFiles', `names several files, of which the first becomes the program: Apache's operator only separates them with mainClass ${PYTHON_RUNNER}`);
    }
    // Without the class, Apache's operator also puts the program into spark.submit.pyFiles.
    const others = isRunner ? files.slice(1) : files;
    return {
      type: 'Python', mainApplicationFile: files[0]!, hasClass: false, conf: {},
      deps: listed('pyFiles', sparkConf['spark.submit.pyFiles'] === undefined ? others : []),
    };
  },
  sparkRFiles: (files, _spec, _conf, addNote) => {
    if (files.length > 1) {
      addNote('warning', 'spec.sparkRFiles', 'names several files, of which the first becomes the program; put the others into deps.files');
    }
    return { type: 'R', mainApplicationFile: files[0]!, hasClass: false, conf: {}, deps: {} };
  },
};

/** A main class on Spark's own class path, such as that of its Connect server. */
function withoutFile(): Program {
  return { type: 'Java', source: undefined, mainApplicationFile: 'spark-internal', deps: {}, conf: {}, hasClass: true };
}

function filesOf({ files }: ProgramFields, sparkConf: Conf, addNote: OnNote): Record<string, readonly string[]> {
  if (!files) return {};
  if (sparkConf['spark.files'] !== undefined) {
    addNote('warning', 'spec.files', 'is dropped: Apache\'s operator ignores it, and sparkConf sets spark.files; add it there if it is needed');
    return {};
  }
  addNote('warning', 'spec.files', 'becomes deps.files: Apache\'s operator ignores it, and here Spark distributes the files; remove it if they are not needed');
  return { files: listOf(files) };
}

function listed(name: string, files: readonly string[]): Record<string, readonly string[]> {
  return files.length > 0 ? { [name]: files } : {};
}

function listOf(text: string): string[] {
  const files = text.split(',').map((file) => file.trim()).filter((file) => file !== '');
  return files.length > 0 ? files : [text];
}
