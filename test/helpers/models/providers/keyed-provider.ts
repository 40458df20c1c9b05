import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { z } from 'zod';

/** How an account stands: `good`, without credit, or over its rate limit. */
type Account = 'good' | 'empty' | 'limited';

interface KeyedProviderOptions {
  /** The accounts by their keys. It refuses all other keys, and repeats a part of them. */
  readonly accounts: Record<string, Account>;
  /** The text of each model. It has no others. */
  readonly models: Readonly<Record<string, string>>;
}

const askedSchema = z.object({ model: z.string(), stream: z.boolean().default(false) });
const usage = { prompt_tokens: 9, completion_tokens: 5 };

/** A server with OpenAI's chat completions that knows keys and models, on a free port. */
export async function startKeyedProvider({ accounts, models }: KeyedProviderOptions) {
  const asked: { readonly model: string; readonly key: string }[] = [];
  const server = createServer(async (request, response) => {
    const { model, stream } = askedSchema.parse(await json(request));
    const key = (request.headers.authorization ?? '').replace('Bearer ', '');
    asked.push({ model, key });
    const [status, message] = refusal({ account: accounts[key], model, key, isKnown: model in models });
    if (status !== 200) {
      response.writeHead(status, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ error: { message } }));
    }
    const content = models[model];
    if (!stream) {
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ choices: [{ message: { content } }], usage }));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = [{ choices: [{ delta: { content } }] }, { choices: [], usage }];
    return response.end(
      `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { accounts, asked, baseUrl: `http://127.0.0.1:${port}/v1` };
}

interface Called {
  readonly account: Account | undefined;
  readonly model: string;
  readonly key: string;
  readonly isKnown: boolean;
}

/** The status and the words of OpenAI. */
function refusal({ account, model, key, isKnown }: Called): readonly [number, string] {
  if (account === undefined) {
    return [401, `Incorrect API key provided: ${key.slice(0, 8)}****${key.slice(-4)}.`];
  }
  if (account === 'empty') return [429, 'You exceeded your current quota (insufficient_quota).'];
  if (account === 'limited') return [429, 'Rate limit reached.'];
  return isKnown ? [200, ''] : [404, `The model ${model} does not exist.`];
}
