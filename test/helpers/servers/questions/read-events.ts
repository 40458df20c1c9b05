import { createParser } from 'eventsource-parser';

/** One parsed `data:` line of a stream. */
export interface Frame {
  readonly event?: string;
  readonly stage?: string;
  readonly token?: string;
  readonly done?: boolean;
  readonly error?: string;
  readonly code?: string;
  readonly [field: string]: unknown;
}

/** Yields the frames of a response of server-sent events as they arrive. `onComment` receives comments. */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  onComment: (comment: string) => void = () => {},
): AsyncGenerator<Frame, void> {
  const decoder = new TextDecoder();
  const frames: Frame[] = [];
  const parser = createParser({
    onEvent: ({ data }) => void frames.push(JSON.parse(data)),
    onComment,
  });
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* frames.splice(0);
  }
}

/** Returns the text of the token frames together. */
export function textOf(frames: readonly Frame[]): string {
  return frames.map((frame) => frame.token ?? '').join('');
}
