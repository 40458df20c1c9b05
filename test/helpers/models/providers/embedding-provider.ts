import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../servers/network/free-port.ts';

interface EmbeddingProviderOptions {
  readonly dimensions: number;
  /** Receives the texts of each request, which is answered when the result resolves. */
  readonly onTexts: (texts: readonly string[]) => Promise<void>;
}

/** A provider of embeddings on a port of its own. The vector of a text depends on its length. */
export async function startEmbeddingProvider({ dimensions, onTexts }: EmbeddingProviderOptions) {
  const server = createServer(async (request, response) => {
    const { input } = z.object({ input: z.array(z.string()) }).parse(await json(request));
    await onTexts(input);
    const data = input.map(({ length }, index) => ({
      index,
      embedding: Array.from({ length: dimensions }, (_, at) => (at === length % dimensions ? 1 : 0.01)),
    }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    /** The environment with which the product takes its embeddings from this provider. */
    environment: {
      EMBEDDING_MODEL: 'lab:small',
      OPENAI_COMPATIBLE_BASE_URL_LAB: `http://127.0.0.1:${port}/v1`,
    },
  };
}
