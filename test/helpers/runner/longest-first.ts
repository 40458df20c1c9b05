import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that start the product or a browser, or wait for long, take longest: started last, one of them would run
 * alone.
 */
const long = [
  '/test/whole/',
  '/cli/main.test',
  '/connectors/email/listen.test',
  '/server/webhooks/slack.test',
  '/server/widget/browser/',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => Number(long.some((part) => moduleId.includes(part)));
    return files.toSorted((a, b) => isLong(b) - isLong(a) || a.moduleId.localeCompare(b.moduleId));
  }
}
