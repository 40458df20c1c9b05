import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { createLog } from '../../core/base/log.ts';
import { openEmbedder } from '../../core/knowledge/embedding/open-embedder.ts';

export interface ScaledModel {
  /** The environment with which the product uses it. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const requestSchema = z.object({ input: z.array(z.string()) });

/**
 * Serves the built-in model as a provider's with one more dimension, whose cosines are `scale + (1 - scale) * cosine`: e5's
 * are like that with .7. The order of passages is the same, so false answers can only come from the scale.
 */
export async function startScaledModel(scale: number): Promise<ScaledModel> {
  const embedder = await openEmbedder({ log: createLog('warn') });
  const server = createServer((request, response) => {
    const answer = async () => {
      const { input } = requestSchema.parse(await json(request));
      const vectors = await embedder.embedPassages(input);
      const data = vectors.map((vector, index) => ({
        ...{ object: 'embedding', index },
        embedding: [...vector.map((value) => value * Math.sqrt(1 - scale)), Math.sqrt(scale)],
      }));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ object: 'list', data }));
    };
    answer().catch((error: unknown) => response.writeHead(500).end(JSON.stringify({ error: String(error) })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    environment: {
      // The name is that of a model that is known to read English alone, like the built-in one.
      EMBEDDING_MODEL: 'scaled:all-minilm',
      OPENAI_COMPATIBLE_BASE_URL_SCALED: `http://127.0.0.1:${port}/v1`,
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await embedder.close();
    },
  };
}
