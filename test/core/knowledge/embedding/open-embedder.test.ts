import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { StartError } from '../../../../core/base/errors.ts';
import type { Embedder } from '../../../../core/knowledge/embedding/embedder.ts';
import { openBuiltInEmbedder, openEmbedder } from '../../../../core/knowledge/embedding/open-embedder.ts';
import { canLoadOnnx } from '../../../helpers/models/embedding/can-load-onnx.ts';

const log = { info: vi.fn(), warn: vi.fn() };
const threadScript = new URL('../../../../core/knowledge/embedding/embedding-thread.ts', import.meta.url);

const awkwardTexts = {
  'an empty text': '',
  'a single mark': '?',
  English: 'How do I reset my password, and what happens to my API keys?',
  'German umlauts': 'Was kostet die Kündigung für größere Verträge in Österreich?',
  Chinese: '如何重置我的密码？',
  'rare ideographs': '\u{20000}\u{20001}\u{2a700} name',
  Russian: 'Как сбросить пароль от учётной записи?',
  Greek: 'ΟΔΟΣ ΣΙΣΥΦΟΣ και άλλα',
  Thai: 'ฉันจะรีเซ็ตรหัสผ่านได้อย่างไร',
  Korean: '비밀번호를 재설정하는 방법',
  Hindi: 'मैं अपना पासवर्ड कैसे बदलूँ?',
  Arabic: 'كيف أعيد تعيين كلمة المرور؟',
  emoji: '😀 great👍🏽 family 👩‍👩‍👧 a🫠b',
  'zero-width characters': 'pass\u200bword re\u00adset \ufeffnow\u2060',
  'control characters': '\u0000\u0007bell \u001b[31mred\u001b[0m \u0085next\u000bline',
  'odd spaces': 'no\u00a0break\u2028line\u2029paragraph\u3000wide',
  'half a surrogate pair': 'broken \ud83d text',
  'private and unassigned characters': 'a\ue000b c\u0378d \u{f0000}',
  'symbols and prices': '$1,000.50 + 5% = ~€950 `code` ^2 <b>|</b>',
  'special pieces': '[CLS] forget [MASK] the [SEP] rest [PAD][UNK]',
  'a long word': `see ${'x'.repeat(100)} and ${'y'.repeat(101)}`,
  'a text far over the window': 'Refunds take five working days. '.repeat(400),
  'object members': 'constructor __proto__ toString hasOwnProperty',
};

const lengthOf = (vector: Float32Array) => Math.hypot(...vector);
const cosine = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

let wasm: Embedder;
beforeAll(async () => {
  wasm = await openEmbedder({ engine: 'wasm', threads: 1, log });
});
afterAll(() => wasm.close());

describe('the WebAssembly engine', () => {
  it('returns unit-length vectors that are closer for similar meanings', async () => {
    expect(wasm).toMatchObject({ engine: 'wasm', model: 'minilm-l6-v2', dimensions: 384 });
    const [question, answer, other] = await wasm.embedPassages([
      'How can I get my money back?',
      'Refunds are paid within five days.',
      'The otter swims on its back.',
    ]);
    if (question === undefined || answer === undefined || other === undefined) expect.unreachable();
    for (const vector of [question, answer, other]) expect(lengthOf(vector)).toBeCloseTo(1, 4);
    expect(cosine(question, answer)).toBeGreaterThan(cosine(question, other) + 0.2);
  });

  it('embeds a query before waiting passages', async () => {
    const finished: string[] = [];
    const passages = wasm.embedPassages(new Array(12).fill('A passage of a few words.'));
    await Promise.all([
      passages.then(() => finished.push('passages')),
      wasm.embedQuery('a question asked meanwhile').then(() => finished.push('query')),
    ]);
    expect(finished).toEqual(['query', 'passages']);
  });

  it('loses no passage if its thread is killed', async () => {
    const threads: Worker[] = [];
    const embedder = await openBuiltInEmbedder({
      engine: 'wasm',
      threads: 1,
      log,
      startThread(data) {
        const thread = new Worker(threadScript, { workerData: data });
        threads.push(thread);
        return thread;
      },
    });
    const texts = Array.from({ length: 8 }, (_, index) => `passage ${index}`);
    const vectors = embedder.embedPassages(texts);
    const thread = threads[1];
    let messages = 0;
    thread?.on('message', () => {
      if (++messages === 4) void thread.terminate();
    });
    expect(await vectors).toEqual(await wasm.embedPassages(texts));
    expect(messages).toBeLessThan(9);
    expect(threads).toHaveLength(3);
    await embedder.close();
  });
});

describe.skipIf(!canLoadOnnx())('the ONNX engine', () => {
  let onnx: Embedder;
  beforeAll(async () => {
    onnx = await openEmbedder({ engine: 'auto', threads: 1, log });
  });
  afterAll(() => onnx.close());

  it('is selected automatically', () => {
    expect(onnx.engine).toBe('onnx');
    expect(onnx.model).toBe(wasm.model);
  });

  it.each(Object.entries(awkwardTexts))(
    'returns nearly the same vector for %s as the unquantised WebAssembly engine',
    async (_name, text) => {
      const [vector, reference] = await Promise.all([onnx.embedQuery(text), wasm.embedQuery(text)]);
      expect(vector).toHaveLength(384);
      expect(lengthOf(vector)).toBeCloseTo(1, 4);
      // .9975 on average over English prose; less for text that the model hardly knows.
      expect(cosine(vector, reference)).toBeGreaterThan(0.98);
    },
  );

  it('stops when the signal is aborted', async () => {
    const texts = new Array(500).fill('A passage of a few words.');
    await expect(onnx.embedPassages(texts, { signal: AbortSignal.timeout(1) })).rejects.toThrow(/timeout/);
  });
});

describe('an engine that fails to start', () => {
  it('throws a StartError with a remedy and the cause', async () => {
    const opening = openBuiltInEmbedder({
      engine: 'onnx',
      threads: 1,
      log,
      startThread: () => new Worker('throw new RangeError("no such library")', { eval: true }),
    });
    await expect(opening).rejects.toThrow(StartError);
    await expect(opening).rejects.toThrow(/install onnxruntime-node, or set EMBEDDING_ENGINE/);
    await expect(opening).rejects.toMatchObject({ cause: { cause: { message: 'no such library' } } });
  });
});
