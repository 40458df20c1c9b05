import { describe, expect, test } from 'vitest';
import { ask } from '../../../core/answering/ask.ts';
import { humanSkill } from '../../../core/contract/skill.ts';
import { openTestRuntime } from '../../helpers/servers/open-test-runtime.ts';
import { plainRequest } from '../../helpers/servers/questions/plain-request.ts';

const runtime = await openTestRuntime();
const { workspace } = await runtime.workspaces.create({ name: 'Test' });

const request = plainRequest(workspace, 'Is it raining?');

const storedMessages = async () =>
  runtime.database.kysely.selectFrom('message').select(['role', 'content']).execute();

test('stores nothing if work ends after the request was abandoned', async () => {
  const deadline = new AbortController();
  const embedder = {
    ...runtime.embedder,
    embedQuery(text: string) {
      deadline.abort(new RangeError('too late'));
      return runtime.embedder.embedQuery(text);
    },
  };
  await expect(ask({ ...runtime, embedder }, request, { signal: deadline.signal })).rejects.toThrow(
    'too late',
  );
  expect(await storedMessages()).toEqual([]);
});

test('stores a question and its answer together', async () => {
  const { answer } = await ask(runtime, request, { signal: new AbortController().signal });
  expect(await storedMessages()).toEqual([
    { role: 'user', content: 'Is it raining?' },
    { role: 'assistant', content: answer.text },
  ]);
});

describe('the afterword of an answer', () => {
  const afterword = 'I have not seen the picture.';
  const signal = new AbortController().signal;

  test('is streamed, stored and returned as the last paragraph', async () => {
    let heard = '';
    const token = (text: string) => {
      heard += text;
    };
    const { answer } = await ask(
      runtime,
      { ...request, afterword },
      { signal, listener: { stage() {}, token } },
    );
    expect(answer.text).toMatch(/.\n\nI have not seen the picture\.$/);
    expect(heard).toBe(answer.text);
    expect((await storedMessages()).map(({ content }) => content)).toContain(answer.text);
  });

  test('is omitted if the answer hands over to an agent, who sees the files', async () => {
    const { answer } = await ask(runtime, { ...request, afterword, skill: humanSkill }, { signal });
    expect(answer.skillsFired).toContain(humanSkill);
    expect(answer.text).not.toContain(afterword);
  });
});
