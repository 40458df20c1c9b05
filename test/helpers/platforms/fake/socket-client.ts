import { once } from 'node:events';
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { SocketWords } from './socket-channel.ts';

const heard = z.object({
  token: z.string().optional(),
  answered: z
    .object({ messageId: z.string(), text: z.string(), handover: z.boolean() })
    .nullable()
    .optional(),
  cut: z.boolean().optional(),
});

/** The platform's side of a socket. */
export async function openSocket(
  url: string,
  headers: Record<string, string> = { 'x-signature': 'let-me-in' },
) {
  const socket = new WebSocket(url, { headers });
  const texts: z.infer<typeof heard>[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    texts.push(heard.parse(JSON.parse(data.toString())));
    for (const wake of waiting) wake();
  });
  const closed = once(socket, 'close').then(([code]) => z.number().parse(code));
  await once(socket, 'open');
  const until = async (isIt: () => boolean) => {
    while (!isIt()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      await promise;
      waiting.delete(resolve);
    }
  };
  return {
    socket,
    closed,
    texts,
    tell: (words: SocketWords) => socket.send(JSON.stringify(words)),
    tokens: () => texts.flatMap(({ token }) => token ?? []).join(''),
    until,
    /** Resolves with the answer to a message, when it is complete. */
    async ask(id: string, chat: string, text: string) {
      const before = texts.length;
      socket.send(JSON.stringify({ type: 'says', id, chat, text }));
      await until(() => texts.slice(before).some(({ answered }) => answered !== undefined));
      return texts.slice(before).find(({ answered }) => answered !== undefined)?.answered ?? null;
    },
  };
}

/** Resolves with the status with which a socket is refused. */
export async function refusedWith(url: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(url, { headers });
  const [, response] = await once(socket, 'unexpected-response');
  socket.on('error', () => {});
  socket.terminate();
  return z.object({ statusCode: z.number() }).parse(response).statusCode;
}
