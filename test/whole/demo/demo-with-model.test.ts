import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ask } from '../../../core/answering/ask.ts';
import type { AnswerWriter, WriterPassage } from '../../../core/contract/answer-writer.ts';
import { openDemo } from '../../../core/demo/open-demo.ts';
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
const answerable = questions.filter(({ answerContains }) => answerContains !== null);

const runtime = await openTestRuntime();
const stop = await runIngestWorker(runtime);
const demo = await openDemo(runtime);
await stop();
const workspace = await runtime.workspaces.get(demo?.workspaceId ?? '');

/** Returns the passages that reach the model with a question. */
async function passagesFor(question: string, before?: string): Promise<readonly WriterPassage[]> {
  const read: WriterPassage[] = [];
  const writer: AnswerWriter = {
    async *write({ passages }) {
      read.push(...passages);
      yield { text: '' };
    },
  };
  const dependencies = { ...runtime, writer, complete: null };
  const signal = new AbortController().signal;
  const earlier =
    before === undefined ? null : await ask(runtime, plainRequest(workspace, before), { signal });
  const request = { ...plainRequest(workspace, question), conversationId: earlier?.conversationId ?? null };
  await ask(dependencies, request, { signal });
  return read;
}

/** Two questions of the demo in one message, as visitors join them, with the texts that their answers need. */
const pairs: readonly (readonly [message: string, ...needed: string[]])[] = [
  [
    'How much does delivery to Germany cost and can you send seeds to Switzerland?',
    '£11.50',
    'cannot send seed pods to Norway or Switzerland',
  ],
  [
    'How long do I have to send something back? And when will I see my money again after a return?',
    '60 days',
    'We refund you within five working days',
  ],
  [
    'What does engraving cost, and can I spread the cost over several months?',
    'costs £9',
    'three equal instalments',
  ],
  ['How long may I pause my subscription?\nHow much is the Kitchen plan a month?', 'up to six months', '£15'],
  [
    'What does a blinking red light mean? Also, what does a replacement pump cost as a spare part?',
    'pump is blocked',
    '£14',
  ],
  [
    'Is the shop open on Sundays in summer and where can I leave my car when I visit?',
    '11 am to 4 pm',
    '14 free parking spaces',
  ],
  ['For how long is a gift card valid? How much are a hundred Acorns worth?', '24 months', 'are worth £5'],
  [
    'Who founded the company, and when? Do you pass my details on to advertisers?',
    '2014',
    'never sell or rent your details',
  ],
  ['How heavy is a full Grand and how much electricity does the Mini use?', '9 kg', 'about 4 kWh'],
  [
    'My lamp is broken. How long is the warranty on the lamp? And how long does a repair take?',
    '3 years',
    'seven working days',
  ],
];

function holds(passages: readonly WriterPassage[], needed: readonly string[]): boolean {
  const text = passages
    .map((passage) => [passage.title, ...passage.headings, passage.text].join('\n').replaceAll('\n', ' '))
    .join('\n');
  return needed.every((part) => text.includes(part));
}

describe('a model reads', () => {
  test('the passages that answer a question, for all but one of the demo’s questions', async () => {
    const missed: string[] = [];
    for (const { question, followUp, answerContains } of answerable) {
      const before = followUp === undefined ? undefined : question;
      const passages = await passagesFor(followUp ?? question, before);
      if (!holds(passages, answerContains ?? [])) missed.push(question);
    }
    expect(missed.length, missed.join()).toBeLessThanOrEqual(1);
  });

  test('the passages for each of two questions in one message, for all but one of twenty', async () => {
    const missed: string[] = [];
    for (const [message, ...needed] of pairs) {
      const passages = await passagesFor(message);
      missed.push(...needed.filter((text) => !holds(passages, [text])));
    }
    expect(missed.length, missed.join()).toBeLessThanOrEqual(1);
  });
});
