import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { canLoadOnnx } from '../../../helpers/models/embedding/can-load-onnx.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { varyRuleInFile } from '../../../helpers/vary-rule-in-file.ts';

// The reader applies, whatever the score without it.
varyRuleInFile('search.readerFrom', 0);
varyRuleInFile('search.readerBelow', 1);

const results = z.array(z.looseObject({ title: z.string(), score: z.number(), read: z.boolean() }));
const query = 'broke my ankle, do i still pay the four quid a month?';

async function openClub(environment: Readonly<Record<string, string>> = {}) {
  const server = await openTestServer({ runtime: { environment } });
  const { id, key } = await server.makeWorkspace();
  await server.addDocument(
    id,
    [
      '# Freezing',
      'You may suspend your membership for up to three months.',
      'During a suspension we charge a retention fee of £4 a month.',
      "Members who are injured pay no retention fee if they send a doctor's note.",
    ].join('\n\n'),
  );
  await server.addDocument(id, '# Lockers\n\nBring your own padlock. Towels can be hired for £1.50.');
  const search = async () =>
    results.parse((await server.operate('POST', `/workspaces/${id}/search`, { query })).json().results);
  return { server, id, key, search };
}

describe.skipIf(!canLoadOnnx())('a server with the reader', async () => {
  const { server, id, key, search } = await openClub();

  test('shows operators which passages were read', async () => {
    const found = await search();
    expect(found.map(({ title, read }) => [title, read])).toEqual([
      ['Freezing', true],
      ['Lockers', true],
    ]);
    expect(found[0]?.score).toBeGreaterThan(found[1]?.score ?? 1);
  });

  test('writes down which passages were read before an answer', async () => {
    const answer = z
      .looseObject({ conversation_id: z.string(), message_id: z.string() })
      .parse((await server.query(key, { query })).json());
    const path = `/workspaces/${id}/conversations/${answer.conversation_id}/messages/${answer.message_id}/decision`;
    const decided = await server.operate('GET', path);
    expect(decided.json().decision.passages[0]).toMatchObject({ title: 'Freezing', read: true });
  });
});

test('READER=off reads nothing', async () => {
  const { server, search } = await openClub({ READER: 'off' });
  expect(server.runtime.passageReader).toBeNull();
  expect((await search()).map(({ read }) => read)).toEqual([false, false]);
});
