import { expect, test } from 'vitest';
import { EventParser } from '../../../../core/models/openai/openai-model.ts';

const whole = Buffer.from(
  ': hello\r\n\r\nevent: chunk\ndata: {"text":"Grüße 🫖"}\n\ndata:{"text":"two"}\r\n\r\ndata: [DONE]\n\n',
);
const data = ['{"text":"Grüße 🫖"}', '{"text":"two"}', '[DONE]'];

test('reads the same events wherever the network splits a stream', () => {
  for (let cut = 0; cut <= whole.length; cut += 1) {
    const reader = new EventParser();
    const read = [...reader.push(whole.subarray(0, cut)), ...reader.push(whole.subarray(cut))];
    expect(read, `cut at ${cut}`).toEqual(data);
  }
});

test('reads the same events byte by byte', () => {
  const reader = new EventParser();
  expect([...whole].flatMap((byte) => reader.push(Uint8Array.of(byte)))).toEqual(data);
});

test('returns an event as soon as its line is complete', () => {
  const reader = new EventParser();
  expect(reader.push(Buffer.from('data: 1'))).toEqual([]);
  expect(reader.push(Buffer.from('2\n'))).toEqual(['12']);
});
