import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { z } from 'zod';

interface Call {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

const bodySchema = z.record(z.string(), z.unknown());

/** The platform of the fake connector on a free port; stopped after the test file. */
export async function openFakePlatform() {
  const calls: Call[] = [];
  const platform = {
    url: '',
    calls,
    /** The paths that it refuses, each with its words; `null`: it never answers. */
    refusals: new Map<string, string | null>(),
    /** Its answers by path, unless the path asks who the bot is. */
    answers: new Map<string, (body: Call['body']) => object>(),
    /** The paths that were called since the last time. */
    taken: () => calls.splice(0).map(({ path }) => path),
  };
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request;
    const body = bodySchema.parse(JSON.parse(await text(request)));
    calls.push({ path, authorization: headers.authorization, body });
    const refusal = platform.refusals.get(path);
    if (refusal === null) return;
    const answer = platform.answers.get(path)?.(body) ?? { bot: 'Ada', id: 7 };
    response
      .writeHead(refusal === undefined ? 200 : 403, { 'content-type': 'application/json' })
      .end(JSON.stringify(refusal === undefined ? answer : { error: refusal }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  platform.url = `http://127.0.0.1:${address.port}`;
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return platform;
}
