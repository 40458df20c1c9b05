import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import type { AnswerFrame } from './answer-stream.ts';
import { Parley } from './parley.ts';
import type { ParleyOptions } from './transport.ts';

/**
 * Lets `useChat` of the AI SDK talk to Parley: give it to `useChat({ transport })` where the key may live, or answer a route
 * with `createUIMessageStreamResponse({ stream: await transport.sendMessages(…) })`. Sources become `source-url` parts.
 */
export class ParleyChatTransport<Message extends UIMessage> implements ChatTransport<Message> {
  readonly #parley: Parley;
  /** Which conversation of Parley a chat of the page goes on with. */
  readonly #conversations = new Map<string, string>();

  constructor(options: ParleyOptions) {
    this.#parley = new Parley(options);
  }

  async sendMessages({
    chatId,
    messages,
    abortSignal,
  }: Parameters<ChatTransport<Message>['sendMessages']>[0]): Promise<ReadableStream<UIMessageChunk>> {
    const query = textOf(messages.filter(({ role }) => role === 'user').at(-1));
    const known = this.#conversations.get(chatId);
    const request = known === undefined ? { query } : { query, conversationId: known };
    const answer = this.#parley.stream(request, { signal: abortSignal });
    const chunks = this.#toChunks(chatId, answer);
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => answer.cancel(),
    });
  }

  /** Parley keeps no running answer for a client that comes back: the page shows what is stored. */
  async reconnectToStream(): Promise<null> {
    return null;
  }

  async *#toChunks(chatId: string, frames: AsyncIterable<AnswerFrame>): AsyncGenerator<UIMessageChunk> {
    const id = 'answer';
    yield { type: 'start' };
    yield { type: 'text-start', id };
    for await (const frame of frames) {
      if (frame.type === 'token') yield { type: 'text-delta', id, delta: frame.token };
      if (frame.type !== 'final') continue;
      this.#conversations.set(chatId, frame.conversationId);
      yield { type: 'text-end', id };
      for (const { url, title, chunkId } of frame.sources) {
        if (url !== null) yield { type: 'source-url', sourceId: chunkId, url, title };
      }
    }
    yield { type: 'finish' };
  }
}

function textOf(message: UIMessage | undefined): string {
  const texts = message?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) ?? [];
  return texts.join('\n');
}
