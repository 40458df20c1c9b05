import { z } from 'zod';
import type { Account } from '../../../../core/contract/account.ts';
import type { AnyConnector, Channel } from '../../../../core/contract/connector.ts';
import type { PlatformSocket, SocketTools } from '../../../../core/contract/listener.ts';
import { deliveryOf, fakeChannel } from './channel.ts';

const told = z.discriminatedUnion('type', [
  z.object({ type: z.literal('says'), id: z.string(), chat: z.string(), text: z.string() }),
  z.object({ type: z.literal('interrupts') }),
  z.object({ type: z.literal('heard'), messageId: z.string(), text: z.string() }),
]);
export type SocketWords = z.input<typeof told>;

/**
 * A channel whose platform uses a socket, signed with `let-me-in`. It collects the messages of the socket.
 */
export function fakeSocketChannel(): AnyConnector {
  const { connector } = fakeChannel('fake');
  const open = (account: Account): Channel => ({
    ...connector.open(account),
    webhook: {
      verify: () => true,
      read: () => ({ kind: 'ignored', because: 'nothing is posted', respond: { status: 200 } }),
    },
    render: (reply, to) =>
      connector
        .open(account)
        .render(reply, to)
        .map((part) => ({ ...part, collectedBy: to.lane })),
    socket: {
      verify: ({ headers }) => headers['x-signature'] === 'let-me-in',
      serve,
    },
  });
  return { ...connector, open };
}

function serve(socket: PlatformSocket, tools: SocketTools): Promise<void> {
  const over = Promise.withResolvers<void>();
  let answering = new AbortController();
  const answer = async (words: Extract<SocketWords, { type: 'says' }>) => {
    answering = new AbortController();
    const hearing = {
      onText: (text: string) => socket.send(JSON.stringify({ token: text })),
      signal: answering.signal,
    };
    const answered = await tools.ask(deliveryOf(words), hearing);
    socket.send(JSON.stringify({ answered }));
  };
  socket.onMessage((text) => {
    const words = told.parse(JSON.parse(text));
    if (words.type === 'says') answer(words).catch(over.reject);
    if (words.type === 'interrupts') answering.abort();
    if (words.type === 'heard') {
      tools.truncateAnswer(words.messageId, words.text).then(() => socket.send('{"cut":true}'), over.reject);
    }
  });
  socket.onClose(over.resolve);
  tools.signal.addEventListener('abort', () => over.resolve());
  return over.promise;
}
