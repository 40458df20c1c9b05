import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The tests that start the whole product take longest: begun last, one of them would run alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isWhole = (file: TestSpecification) => Number(file.moduleId.includes('/test/whole/'));
    return files.toSorted((a, b) => isWhole(b) - isWhole(a) || a.moduleId.localeCompare(b.moduleId));
  }
}
