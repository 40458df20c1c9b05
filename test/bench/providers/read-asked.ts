import type { IncomingMessage } from 'node:http';
import { z } from 'zod';

const askedSchema = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(z.object({ content: z.string() })),
});

export type Asked = z.output<typeof askedSchema>;

/** Reads the request of a client of OpenAI's dialect. */
export async function readAsked(request: IncomingMessage): Promise<Asked> {
  let body = '';
  for await (const bytes of request) body += bytes;
  return askedSchema.parse(JSON.parse(body));
}
