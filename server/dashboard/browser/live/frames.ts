import type { components } from '../api/api-types.ts';

type Schemas = components['schemas'];

/** One event of the stream of a workspace. */
export type LiveFrame =
  | Schemas['HelloFrame']
  | Schemas['AliveFrame']
  | Schemas['ChangeFrame']
  | Schemas['PresenceFrame']
  | Schemas['VisitorTypingFrame']
  | Schemas['MentionFrame']
  | Schemas['DraftFrame']
  | Schemas['CountsFrame']
  | Schemas['SettingFrame']
  | Schemas['SignedOutFrame'];

export type PresentPerson = Schemas['PresenceFrame']['people'][number];

/**
 * Milliseconds without any data after which a connection counts as lost. The server sends a heartbeat every ten
 * seconds.
 */
const silenceMs = 15_000;

interface StreamOptions {
  readonly workspace: string;
  readonly signal: AbortSignal;
  readonly onFrame: (frame: LiveFrame) => void;
  /** No data arrived for so long that the connection counts as lost. The stream then ends. */
  readonly onSilence: () => void;
}

/** How a stream ended: with the status of the answer, or 0 if it was lost or never opened. */
export interface StreamEnd {
  readonly status: number;
}

/**
 * Reads the stream until it ends. It uses `fetch` instead of `EventSource`, because that tells a refusal from a lost
 * connection, and notices silence.
 */
export async function readStream({
  workspace,
  signal,
  onFrame,
  onSilence,
}: StreamOptions): Promise<StreamEnd> {
  const connection = new AbortController();
  const disconnect = () => connection.abort();
  signal.addEventListener('abort', disconnect);
  const onSilent = () => {
    onSilence();
    disconnect();
  };
  let timer = setTimeout(onSilent, silenceMs);
  try {
    const response = await fetch(`/admin/v1/workspaces/${workspace}/events`, {
      credentials: 'same-origin',
      headers: { accept: 'text/event-stream' },
      signal: connection.signal,
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!response.ok || !isStream || response.body === null) return { status: response.status };
    for await (const frame of readFrames(response.body, () => {
      clearTimeout(timer);
      timer = setTimeout(onSilent, silenceMs);
    })) {
      onFrame(frame);
    }
  } catch {
    // The stream was lost, silent or stopped: the caller connects again, or has stopped.
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', disconnect);
  }
  return { status: 0 };
}

async function* readFrames(
  body: ReadableStream<Uint8Array>,
  onData: () => void,
): AsyncGenerator<LiveFrame, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let unread = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onData();
    const events = (unread + decoder.decode(value, { stream: true })).split('\n\n');
    unread = events.pop() ?? '';
    for (const event of events) {
      if (!event.startsWith('data: ')) continue;
      const frame: LiveFrame = JSON.parse(event.slice(6));
      yield frame;
    }
  }
}
