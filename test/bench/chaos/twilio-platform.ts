import { openTwilioPeer } from '../../helpers/twilio-peer.ts';

/** Twilio with one number, and what it was told to send. */
export interface TwilioPlatform {
  readonly url: string;
  readonly accountSid: string;
  readonly authToken: string;
  readonly number: string;
  /** Texts by visitor, in the order in which they came. */
  readonly sent: ReadonlyMap<string, readonly string[]>;
  /** Sends whose answer was lost with the process that had asked. */
  lostAnswers(): number;
  /** Where it posts from now on. */
  hookAt(url: string): void;
  /** Posts a visitor's message until it is taken; how many times that took. */
  post(message: { readonly sid: string; readonly from: string; readonly body: string }): Promise<number>;
  close(): void;
}

const pauseMs = 100;

/** Twilio itself tries once more at most: who waits longer than that here sees that nothing is done twice. */
export async function startTwilioPlatform(): Promise<TwilioPlatform> {
  const peer = await openTwilioPeer();
  return {
    url: peer.url,
    accountSid: peer.account.sid,
    authToken: peer.account.token,
    number: peer.number,
    get sent() {
      const byVisitor = Map.groupBy(peer.sent, ({ to }) => to);
      return new Map([...byVisitor].map(([to, messages]) => [to, messages.map(({ body }) => body)]));
    },
    lostAnswers: () => peer.lostAnswers(),
    hookAt: (url) => peer.hookAt(url),
    async post({ sid, from, body }) {
      const fields = { MessageSid: sid, SmsSid: sid, From: from, To: peer.number, Body: body, NumMedia: '0' };
      for (let tries = 1; ; tries += 1) {
        const response = await peer.tell(fields).catch(() => null);
        await response?.arrayBuffer().catch(() => null);
        if (response?.ok) return tries;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    },
    close: () => peer.close(),
  };
}
