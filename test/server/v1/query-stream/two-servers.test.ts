import { describe, expect, test } from 'vitest';
import { testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { ownerMessages } from '../../../helpers/stores/owner-messages.ts';
import { openTestServers } from '../../../helpers/stores/test-servers.ts';

const streams = 20;

describe.each(testEngines)('streams of one key at two servers on %s', async (engine) => {
  const [one, other] = await openTestServers(engine, {
    alter: () => ({
      writer: {
        async *write(task) {
          yield { text: `You asked: ${task.question}` };
        },
      },
    }),
  });
  const workspace = await one.makeWorkspace();
  await one.addDocument(workspace.id, 'Parcels arrive within three working days.');
  const server = (index: number) => (index % 2 ? one : other);
  const question = (index: number) => `Within how many working days do parcels number ${index} arrive?`;

  const framesOf = async (index: number, fields: object = {}) => {
    const { body } = await server(index).stream(workspace.key, { query: question(index), ...fields });
    return body
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice('data: '.length)));
  };

  test('each has its own answer, is counted once, and is found at either server', async () => {
    const all = await Promise.all(Array.from({ length: streams }, (_, index) => framesOf(index)));
    for (const [index, frames] of all.entries()) {
      const text = frames.map(({ token }) => token ?? '').join('');
      expect(text).toBe(`You asked: ${question(index)}`);
    }
    expect(await ownerMessages(one.runtime, workspace.owner)).toBe(streams);
    const ids = all.map((frames) => frames.at(-1)?.conversation_id);
    for (const { app } of [one, other]) {
      const listed = await app.inject({
        method: 'GET',
        url: `/v1/conversations?workspace_id=${workspace.id}&limit=50`,
        headers: { authorization: `Bearer ${workspace.key}` },
      });
      const found = listed.json().conversations.map(({ id }: { id: string }) => id);
      expect(found.toSorted()).toEqual(ids.toSorted());
    }
  });

  test('a conversation that started at one server continues at the other', async () => {
    const first = await framesOf(0);
    const conversation_id = first.at(-1)?.conversation_id;
    const second = await framesOf(1, { conversation_id });
    expect(second.at(-1)).toMatchObject({ done: true, conversation_id });
  });
});
