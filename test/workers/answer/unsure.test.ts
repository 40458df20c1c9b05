import { expect, test } from 'vitest';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

// With these limits, whatever is found may be the answer.
const settings = { answer_from: 0.9, maybe_from: 0.05, escalate_after_fallbacks: 2 };
const { platform, receive, runtime, addDocument, start } = await openTestPipeline({ settings });
await addDocument('## Delivery\n\nParcels arrive within three working days.');
await start();

let asked = 0;
async function ask(chat: string) {
  asked += 1;
  const before = platform.replies.length;
  await receive({ id: `q${asked}`, chat, text: 'Are parcels quick?' });
  await expect.poll(() => platform.replies.length).toBe(before + 1);
  const sent = () => platform.sent.filter((part) => part.chat === chat).length;
  await expect.poll(sent).toBeGreaterThan(0);
  return platform.replies.at(-1);
}

test('an unsure answer cites its source, begins with its sentence, and asks whether it helped', async () => {
  expect(await ask('cites')).toMatchObject({
    text: expect.stringMatching(/^I am not sure; this may be it:/),
    lead: 'I am not sure; this may be it: Parcels arrive within three working days.',
    sources: [{ title: expect.any(String) }],
    offers: ['helped', 'human'],
    handover: false,
  });
});

test('a person is called after unsure answers that did not help, and not after one that did', async () => {
  const handovers = async (chat: string) => [(await ask(chat))?.handover, (await ask(chat))?.handover];
  expect(await handovers('unhelped')).toEqual([false, false]);
  expect(await ask('unhelped')).toMatchObject({ handover: true, offers: [] });

  expect(await handovers('helped')).toEqual([false, false]);
  await receive({ id: 'pressed', chat: 'helped', feedback: { on: null, value: 'up' } });
  const rated = () =>
    runtime.database.kysely.selectFrom('message').select('id').where('feedback', '=', 'up').execute();
  await expect.poll(async () => (await rated()).length).toBe(1);
  expect(await ask('helped')).toMatchObject({ handover: false });
});
