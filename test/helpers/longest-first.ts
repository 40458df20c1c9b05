import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that start the product or a browser take longest: begun last, one of them would run alone at the end. */
const long = ['/test/whole/', '/widget/browser.test', '/widget/challenge.test', '/cli/main.test'];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => Number(long.some((part) => moduleId.includes(part)));
    return files.toSorted((a, b) => isLong(b) - isLong(a) || a.moduleId.localeCompare(b.moduleId));
  }
}
