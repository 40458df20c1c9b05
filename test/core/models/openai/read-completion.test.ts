import { expect, test } from 'vitest';
import { parseChunk, parseCompletion } from '../../../../core/models/openai/openai-model.ts';

const call = (name: string, given: string) => ({ type: 'function', function: { name, arguments: given } });

test('parses the text, the tool calls with arguments and the usage of a complete answer', () => {
  const message = {
    content: null,
    tool_calls: [call('order_status', '{"id":"A-1"}'), call('broken', '{"id":')],
  };
  expect(
    parseCompletion({ choices: [{ message }], usage: { prompt_tokens: 30, completion_tokens: 12 } }),
  ).toEqual({
    text: '',
    ...{ tokensUsed: 42, inputTokens: 30 },
    toolCalls: [
      { name: 'order_status', given: { id: 'A-1' } },
      { name: 'broken', given: {} },
    ],
  });
});

test('treats missing or malformed fields as absent', () => {
  const nothing = { text: '', tokensUsed: 0, toolCalls: [] };
  for (const odd of [null, {}, [], 'text', { choices: [] }, { choices: [{ message: { content: [1] } }] }]) {
    expect(parseCompletion(odd)).toEqual(nothing);
    expect(parseChunk(odd)).toEqual({ ...nothing, tokensUsed: undefined, reasoned: false });
  }
  const usage = { prompt_tokens: 'many', completion_tokens: -3 };
  expect(parseCompletion({ usage }).tokensUsed).toBe(0);
});

test('parses the text of a chunk, or the calls that it starts', () => {
  expect(parseChunk({ choices: [{ delta: { content: 'Hel' } }], usage: null })).toEqual({
    text: 'Hel',
    tokensUsed: undefined,
    toolCalls: [],
    reasoned: false,
  });
  expect(parseChunk({ choices: [{ delta: { reasoning_content: 'Hm' } }] }).reasoned).toBe(true);
  expect(parseChunk({ choices: [{ delta: { tool_calls: [call('collect_lead', '')] } }] }).toolCalls).toEqual([
    { name: 'collect_lead', given: {} },
  ]);
});
