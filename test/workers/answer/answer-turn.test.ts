import { expect, test } from 'vitest';
import type { ErrorCode } from '../../../core/base/error-catalogue.ts';
import { AppError } from '../../../core/base/errors.ts';
import type { AnswerWriter } from '../../../core/contract/answer-writer.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

let failure: ErrorCode = 'provider_down';
let tries = 0;
const writer: AnswerWriter = {
  // biome-ignore lint/correctness/useYield: it fails before its first word.
  async *write() {
    tries += 1;
    throw new AppError(failure);
  },
};
const pipeline = await openTestPipeline({ alter: () => ({ writer }) });
await pipeline.addDocument('## Delivery\n\nExpress parcels arrive within three days of the order.');
await pipeline.start();
const sentTo = (chat: string) =>
  pipeline.platform.sent.filter((part) => part.chat === chat).map(({ text }) => text);

test.each([
  ['provider_down', 1],
  ['upstream_timeout', 1],
  ['model_provider_error', 3],
] as const)('after %s from all models the answer quotes documents, at attempt %i', async (code, expected) => {
  failure = code;
  tries = 0;
  await pipeline.receive({ id: code, chat: code, text: 'When do express parcels arrive after the order?' });
  await expect.poll(() => sentTo(code)).toEqual([expect.stringContaining('within three days')]);
  expect(tries).toBe(expected);
});
