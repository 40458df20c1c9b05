import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { canLoadOnnx } from '../../../helpers/models/embedding/can-load-onnx.ts';

const module = new URL('../../../../core/knowledge/embedding/open-embedder.ts', import.meta.url);
const hideOnnx = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'onnxruntime-node') throw new Error('Cannot find package onnxruntime-node');
      return next(specifier, context);
    },
  });
`)}`;

/** Runs a script with an open embedder in a separate process. */
async function run(script: string, { engine = 'auto', nodeOptions = [''].slice(1) } = {}) {
  const source = `(async () => {
    const { openEmbedder } = await import('${module}');
    const log = { info: () => {}, warn: (fields, message) => console.log(message) };
    const embedder = await openEmbedder({ engine: '${engine}', threads: 2, log });
    ${script}
  })();`;
  const node = spawn(process.execPath, [...nodeOptions, '--eval', source]);
  const [output, errors, [code, signal]] = await Promise.all([
    text(node.stdout),
    text(node.stderr),
    once(node, 'exit'),
  ]);
  return { output: output.trim(), errors, code, signal };
}

const busy = `
  const passages = embedder.embedPassages(new Array(200).fill('A passage of a few words. '.repeat(20)));
  passages.catch((error) => console.log(error.name));`;

describe('a process with an embedder', () => {
  it('exits by itself when there is nothing to embed', async () => {
    const script = `console.log((await embedder.embedPassages(['text']))[0].length);`;
    expect(await run(script)).toEqual({ output: '384', errors: '', code: 0, signal: null });
  });

  it('exits after close, even in the middle of a document', async () => {
    const script = `${busy} await embedder.embedQuery('text'); await embedder.close();`;
    expect(await run(script)).toEqual({ output: 'EmbeddingError', errors: '', code: 0, signal: null });
  });

  it.skipIf(!canLoadOnnx())('is not aborted by process.exit in the middle of a document', async () => {
    const script = `${busy} setTimeout(() => process.exit(3), 400);`;
    const outcomes = await Promise.all([run(script, { engine: 'onnx' }), run(script, { engine: 'onnx' })]);
    for (const outcome of outcomes)
      expect(outcome).toEqual({ output: '', errors: '', code: 3, signal: null });
  });

  it('falls back to WebAssembly with a warning if onnxruntime-node is missing', async () => {
    const script = `console.log(embedder.engine, (await embedder.embedQuery('text')).length);`;
    const { output, code } = await run(script, { nodeOptions: ['--import', hideOnnx] });
    expect(output).toMatch(/^ONNX Runtime unavailable.*\nwasm 384$/);
    expect(code).toBe(0);
  });
});
