import { describe, expect, test } from 'vitest';
import type { ChatModel, ModelPiece } from '../../../core/models/chat-model.ts';
import { Thinking, ThoughtFilter, withoutThoughts } from '../../../core/models/thinking.ts';

/** Returns what a filter shows of a text that arrives in two pieces. */
function split(text: string, cut: number, startsInside = false) {
  const filter = new ThoughtFilter({ startsInside });
  return filter.push(text.slice(0, cut)) + filter.push(text.slice(cut)) + filter.end();
}

describe('thoughts', () => {
  test.each([
    ['<think>Secret.</think>\n\nYou can [1].', 'You can [1].'],
    ['<THINKING>a < b</THINKING>You can [1].', 'You can [1].'],
    ['[THINK]Secret.[/THINK]You can [1].', 'You can [1].'],
    ['<think></think>You can [1].', 'You can [1].'],
    ['You can <b>return</b> it [1]. a < b', 'You can <b>return</b> it [1]. a < b'],
    ['<think>Secret without an end', ''],
  ])('never show in %j, wherever it is cut', (text, shown) => {
    for (let cut = 0; cut <= text.length; cut += 1) expect(split(text, cut), `cut at ${cut}`).toBe(shown);
  });

  test('without an opening tag never show if the output may begin inside them', () => {
    const text = 'Secret.\n</think>\n\nYou can [1].';
    for (let cut = 0; cut <= text.length; cut += 1) expect(split(text, cut, true)).toBe('You can [1].');
  });

  test('are not expected for ever: a text without tags shows at its end', () => {
    expect(split('You can return it within 30 days.', 9, true)).toBe('You can return it within 30 days.');
  });

  test('do not delay a text without tags', () => {
    const filter = new ThoughtFilter({ startsInside: false });
    expect(['You', ' can', ' [1].'].map((piece) => filter.push(piece))).toEqual(['You', ' can', ' [1].']);
  });
});

/** A model that writes the given pieces, a set for each request. */
function scripted(...answers: readonly (readonly Partial<ModelPiece>[])[]) {
  const rest = [...answers];
  const model: ChatModel = {
    name: 'local:model',
    thinks: false,
    async *write() {
      for (const piece of rest.shift() ?? []) yield { text: '', tokensUsed: 0, ...piece };
    },
  };
  return model;
}

async function ask(model: ChatModel, streamed: boolean) {
  const { signal } = new AbortController();
  const pieces: string[] = [];
  for await (const { text } of model.write({ messages: [], temperature: null, streamed, signal })) {
    pieces.push(text);
  }
  return pieces;
}

describe('a model', () => {
  test('is known to think once it did, and its thoughts are signs of life', async () => {
    const model = withoutThoughts(
      scripted([{ reasoned: true }, { reasoned: true }, { text: 'Hi.' }]),
      new Thinking('local'),
    );
    expect(model.thinks).toBe(false);
    expect(await ask(model, true)).toEqual(['', '', 'Hi.']);
    expect(model.thinks).toBe(true);
  });

  test('whose complete answer began inside thoughts never streams them', async () => {
    const answer = [{ text: 'Secret.' }, { text: '</think>Hi.' }];
    const model = withoutThoughts(scripted([{ text: 'Secret.</think>Hi.' }], answer), new Thinking('local'));
    expect(await ask(model, false)).toEqual(['Hi.']);
    expect(await ask(model, true)).toEqual(['', 'Hi.']);
  });

  test('named like a thinking one streams at once if its server keeps thoughts apart', async () => {
    const model = withoutThoughts(
      scripted([{ reasoned: true }, { text: 'You' }, { text: ' can.' }]),
      new Thinking('deepseek-r1'),
    );
    expect(await ask(model, true)).toEqual(['', 'You', ' can.']);
  });
});

test.each([
  ...[
    'o3',
    'openai/gpt-5-mini',
    'gpt-oss:20b',
    'deepseek-r1:8b',
    'deepseek-reasoner',
    'Qwen/Qwen3-8B',
    'qwen3:8b',
  ],
  ...['gemini-2.5-flash', 'magistral-small', 'us.deepseek.r1-v1:0', 'kimi-k2-thinking', 'grok-4'],
])('%s is known to think', (name) => {
  expect(new Thinking(name).thinks).toBe(true);
});

test.each([
  ...[
    'gpt-4o-mini',
    'gpt-5-chat-latest',
    'claude-sonnet-4-5',
    'llama3.2:3b',
    'qwen3-coder',
    'gemini-2.0-flash',
  ],
  ...['mistral-small-latest', 'our-deployment', 'mixtral-8x7b'],
])('%s is not', (name) => {
  expect(new Thinking(name).thinks).toBe(false);
});
