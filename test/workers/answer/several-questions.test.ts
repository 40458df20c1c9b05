import { expect, test } from 'vitest';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

const pages = [
  '## Delivery\n\nExpress parcels arrive within three days of the order.',
  '## Returns\n\nUnused tools can be returned within sixty days.',
  '## Engraving\n\nThe engraving of a lamp costs nine pounds.',
].join('\n\n');

async function openShop(options: Parameters<typeof openTestPipeline>[0] = {}) {
  const pipeline = await openTestPipeline(options);
  await pipeline.addDocument(pages);
  return pipeline;
}

test('three messages of a burst get three answers in one turn', async () => {
  const shop = await openShop();
  await shop.receive(
    { id: 'b1', chat: 'burst', text: 'when do express parcels arrive after the order?' },
    { id: 'b2', chat: 'burst', text: 'can unused tools be returned?' },
    { id: 'b3', chat: 'burst', text: 'What does the engraving of a lamp cost' },
  );
  await shop.start();
  await expect
    .poll(async () => (await shop.messages()).map(({ role }) => role))
    .toEqual(['user', 'assistant']);
  const [, answer] = await shop.messages();
  expect(answer?.content.split('\n\n')).toEqual([
    '**When do express parcels arrive after the order?**\nExpress parcels arrive within three days of the order.',
    '**Can unused tools be returned?**\nUnused tools can be returned within sixty days.',
    '**What does the engraving of a lamp cost**\nThe engraving of a lamp costs nine pounds.',
  ]);
});

test('a question without an answer is answered with what may help', async () => {
  const writer = {
    async *write() {
      yield { text: '' };
    },
  };
  const shop = await openShop({ alter: () => ({ writer, complete: null }) });
  await shop.start();
  await shop.receive({ id: 'n1', chat: 'near', text: 'When do express parcels arrive after the order?' });
  const sent = () => shop.platform.sent.map(({ text }) => text).join('');
  await expect.poll(sent).toMatch(/I could not find an answer.*This may help: .*Express parcels arrive/s);
});
