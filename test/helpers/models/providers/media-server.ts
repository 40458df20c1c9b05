import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { z } from 'zod';

/** A reply of a model: its text, or the status with which it refuses, or no answer at all. */
type Reply = string | number | { readonly hangs: true };

interface Heard {
  readonly model: unknown;
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly authorization: string | undefined;
}

const chatSchema = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
});

/** A server with OpenAI's transcriptions and chat completions with pictures, on a free port. */
export async function startMediaServer() {
  const heard: Heard[] = [];
  const seen: z.output<typeof chatSchema>[] = [];
  const replies: { transcript: Reply; description: Reply } = {
    transcript: '',
    description: '',
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const isRecording = request.url === '/v1/audio/transcriptions';
    if (isRecording) {
      const { headers } = request;
      const form = await new Response(Uint8Array.from(body), {
        headers: { 'content-type': headers['content-type'] ?? '' },
      }).formData();
      const file = form.get('file');
      if (!(file instanceof File)) throw new TypeError('no file');
      heard.push({
        model: form.get('model'),
        fileName: file.name,
        contentType: file.type,
        bytes: Buffer.from(await file.arrayBuffer()),
        authorization: headers.authorization,
      });
    } else seen.push(chatSchema.parse(JSON.parse(body.toString())));
    const reply = isRecording ? replies.transcript : replies.description;
    if (typeof reply === 'object') return;
    if (typeof reply === 'number') {
      response.writeHead(reply, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'out of order' } }));
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    const answer = isRecording
      ? { text: reply }
      : { choices: [{ message: { role: 'assistant', content: reply } }] };
    response.end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    heard,
    seen,
    replies,
    environment: {
      OPENAI_COMPATIBLE_BASE_URL_LAB: `http://127.0.0.1:${port}/v1`,
      OPENAI_COMPATIBLE_API_KEY_LAB: 'the-secret-key',
      TRANSCRIPTION_MODEL: 'lab:whisper-1',
      VISION_MODEL: 'lab:looker',
    },
  };
}

/** A PNG of one point. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
