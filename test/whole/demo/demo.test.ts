import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ask } from '../../../core/answering/ask.ts';
import { demoQuestions, openDemo } from '../../../core/demo/open-demo.ts';
import { runIngestWorker } from '../../../workers/ingest/worker.ts';
import { openTestRuntime } from '../../helpers/servers/open-test-runtime.ts';
import { plainRequest } from '../../helpers/servers/questions/plain-request.ts';

const questionSchema = z.object({
  question: z.string(),
  followUp: z.string().optional(),
  answerContains: z.array(z.string()).nullable(),
});
const path = new URL('../../../core/demo/questions.json', import.meta.url);
const questions = z.array(questionSchema).parse(JSON.parse(readFileSync(path, 'utf8')));

const runtime = await openTestRuntime();
const stop = await runIngestWorker(runtime);
const demo = await openDemo(runtime);
await stop();
const workspace = await runtime.workspaces.get(demo?.workspaceId ?? '');

const answerTo = async (question: string, conversationId: string | null = null) =>
  ask(
    runtime,
    { ...plainRequest(workspace, question), conversationId },
    { signal: new AbortController().signal },
  );

describe('the demo help centre', () => {
  test.each(demoQuestions)('answers a suggested question: %s', async (question) => {
    const { answer } = await answerTo(question);
    expect(answer.confidence).not.toBe('low');
    expect(answer.sources.length).toBeGreaterThan(0);
    const expected = questions.find((known) => known.question === question)?.answerContains ?? [];
    for (const part of expected) expect(answer.text).toContain(part);
  });

  test.each(questions.filter(({ followUp }) => followUp !== undefined))(
    'answers a follow-up in the context of the question before: $question $followUp',
    async ({ question, followUp = '', answerContains }) => {
      const { conversationId } = await answerTo(question);
      const { answer } = await answerTo(followUp, conversationId);
      for (const part of answerContains ?? []) expect(answer.text).toContain(part);
    },
  );

  test('says that it does not know, or that it is unsure, for all but one question that the pages do not answer', async () => {
    const answered: string[] = [];
    for (const { question } of questions.filter(({ answerContains }) => answerContains === null))
      if ((await answerTo(question)).answer.tier === 'answer') answered.push(question);
    expect(answered.length, answered.join()).toBeLessThanOrEqual(1);
  });

  test('uses only text that is in its sources word for word, below the unit that answers', async () => {
    for (const { question } of questions) {
      const { answer } = await answerTo(question);
      if (answer.tier !== 'answer') continue;
      const passages = answer.sources.map((source) => source.chunk.replaceAll('\n', ' ')).join(' ');
      const said = answer.text.replace(/^\*\*.+\*\*(?:\n\n|(?= ))/u, '').split('\n');
      for (const line of said) expect(passages).toContain(line.replace(/^\*\*|\*\*$/gu, '').trim());
    }
  });

  test('is unchanged by a second start', async () => {
    const again = await runIngestWorker(runtime);
    expect(await openDemo(runtime)).toMatchObject({ workspaceId: workspace.id, newKey: null });
    await again();
  });
});
