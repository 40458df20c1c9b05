import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { splitSentences } from '../../core/language/sentences.ts';

/**
 * Misbehaviour of scripted models. `eager` answers every question with the first passage. `inventive` answers every
 * question with an invented statement and a citation. Neither ever admits that it does not know.
 */
export const scripts = ['eager', 'inventive'] as const;

type Script = (typeof scripts)[number];

const requestSchema = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
});

export type ChatRequest = z.output<typeof requestSchema>;

const FIRST_PASSAGE = /<passage number="1" from="[^"\n]*">\n([\s\S]*?)\n<\/passage>/u;
const SENTENCES = 3;

export interface ScriptedModel {
  readonly baseUrl: string;
  readonly close: () => void;
}

/** Starts a provider with OpenAI's API on a free port. By default the name of the model selects its script. */
export async function startScriptedModel(
  reply: (request: ChatRequest) => string = misbehave,
): Promise<ScriptedModel> {
  const server = createServer(async (request, response) => {
    const content = reply(requestSchema.parse(JSON.parse(await text(request))));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        id: 'scripted',
        object: 'chat.completion',
        created: 0,
        model: 'scripted',
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

function misbehave({ model, messages }: ChatRequest): string {
  const script = z.enum(scripts).parse(model);
  const last = messages.at(-1)?.content ?? '';
  const passage = FIRST_PASSAGE.exec(last)?.[1];
  return passage === undefined ? 'NONE' : speak(script, passage);
}

function speak(script: Script, passage: string): string {
  if (script === 'inventive') return 'The answer is 42 green elephants, as everybody knows [1].';
  const sentences = splitSentences(passage).slice(0, SENTENCES);
  return sentences.map((sentence) => `${sentence.trim()} [1]`).join(' ');
}
