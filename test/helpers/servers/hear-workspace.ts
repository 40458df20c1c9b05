import { type Frame, readEvents } from './questions/read-events.ts';
import type { SignedIn } from './sign-in-person.ts';

/** An open stream of a workspace's events. */
export interface HeardStream {
  readonly status: number;
  readonly frames: readonly Frame[];
  /** Resolves with the first frame that matches, from the past or the future. */
  until(fits: (frame: Frame) => boolean): Promise<Frame>;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

interface HearOptions {
  readonly address: string;
  readonly workspaceId: string;
  /** The person, or the operator's token. */
  readonly caller: SignedIn | string;
}

/** Opens `GET …/events` as a person or with the operator's token. */
export async function hearWorkspace({ address, workspaceId, caller }: HearOptions): Promise<HeardStream> {
  const stop = new AbortController();
  const response = await fetch(`${address}/admin/v1/workspaces/${workspaceId}/events`, {
    headers: typeof caller === 'string' ? { authorization: `Bearer ${caller}` } : { cookie: caller.cookie },
    signal: stop.signal,
  });
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  const read = async () => {
    if (response.body === null || response.status !== 200) return;
    for await (const frame of readEvents(response.body)) {
      frames.push(frame);
      for (const look of [...waiting]) look();
    }
  };
  const ended = read().catch(() => {});
  return {
    status: response.status,
    frames,
    ended,
    until: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = frames.find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    close: () => stop.abort(),
  };
}
