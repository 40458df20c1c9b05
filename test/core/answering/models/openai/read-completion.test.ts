import { expect, test } from 'vitest';
import { parseChunk, parseCompletion } from '../../../../../core/answering/models/openai/openai-model.ts';

const call = (name: string, given: string) => ({ type: 'function', function: { name, arguments: given } });

test('a whole answer is its text, its calls with what they ask for, and what it cost', () => {
  const message = {
    content: null,
    tool_calls: [call('order_status', '{"id":"A-1"}'), call('broken', '{"id":')],
  };
  expect(
    parseCompletion({ choices: [{ message }], usage: { prompt_tokens: 30, completion_tokens: 12 } }),
  ).toEqual({
    text: '',
    tokensUsed: 42,
    toolCalls: [
      { name: 'order_status', given: { id: 'A-1' } },
      { name: 'broken', given: {} },
    ],
  });
});

test('whatever a server leaves out or sends in the place of it is read as nothing', () => {
  const nothing = { text: '', tokensUsed: 0, toolCalls: [] };
  for (const odd of [null, {}, [], 'text', { choices: [] }, { choices: [{ message: { content: [1] } }] }]) {
    expect(parseCompletion(odd)).toEqual(nothing);
    expect(parseChunk(odd)).toEqual({ ...nothing, tokensUsed: undefined });
  }
  const usage = { prompt_tokens: 'many', completion_tokens: -3 };
  expect(parseCompletion({ usage }).tokensUsed).toBe(0);
});

test('a chunk tells its text, or which calls begin', () => {
  expect(parseChunk({ choices: [{ delta: { content: 'Hel' } }], usage: null })).toEqual({
    text: 'Hel',
    tokensUsed: undefined,
    toolCalls: [],
  });
  expect(parseChunk({ choices: [{ delta: { tool_calls: [call('collect_lead', '')] } }] }).toolCalls).toEqual([
    { name: 'collect_lead', given: {} },
  ]);
});
