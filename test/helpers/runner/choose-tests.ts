interface Change {
  /** Paths from the root, as all paths here. */
  readonly changed: readonly string[];
  /** All TypeScript files of the project. */
  readonly files: readonly string[];
  /** Returns the files that a file imports. */
  readonly importsOf: (file: string) => readonly string[];
}

/** The rules of the house are fast, and concern every file. */
const always = 'test/architecture/';
/** It takes half a minute, for a figure that few changes affect. */
const slow = 'test/architecture/walk.test.ts';

/**
 * Returns the tests that a change most likely breaks: changed tests, those that mirror a changed file, those that import
 * one, and the rules of the house. A change of a test helper counts for the tests that import it. Pure.
 */
export function chooseTests({ changed, files, importsOf }: Change): readonly string[] {
  const isTest = (file: string) => file.endsWith('.test.ts');
  const sources = new Set(changed.filter((file) => files.includes(file)));
  if (sources.size === 0) return [];
  const mirrors = new Set([...sources].map((file) => `test/${file.replace(/\.tsx?$/, '.test.ts')}`));
  return files.filter(
    (file) =>
      isTest(file) &&
      file !== slow &&
      (file.startsWith(always) ||
        sources.has(file) ||
        mirrors.has(file) ||
        importsOf(file).some((target) => sources.has(target))),
  );
}
