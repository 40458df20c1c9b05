import { BenchError } from '../bench-error.ts';
import type { ChatPlatform } from '../chaos/chat-platform.ts';

const slug = 'bench';

/** Visitors of the hosted page whose browsers run no scripts: each posts its form, and is shown the page again. */
export async function startHostedPlatform(): Promise<ChatPlatform> {
  const sent = new Map<number, readonly string[]>();
  const hub = { address: '' };
  const ask = async (query: string): Promise<string> => {
    const posted = await fetch(`${hub.address}/c/${slug}`, {
      method: 'POST',
      body: new URLSearchParams({ query }),
      redirect: 'manual',
    });
    const place = posted.headers.get('location');
    if (posted.status !== 303 || place === null) throw new BenchError(`the form: ${posted.status}`);
    const [cookie = ''] = posted.headers.getSetCookie().map((set) => set.split(';', 1)[0] ?? '');
    return (await fetch(new URL(place, hub.address), { headers: { cookie } })).text();
  };
  return {
    channel: { channel: 'hosted', credentials: {}, settings: { slug } },
    // Visitors come by themselves.
    postTo: () => {},
    visit: ({ address }) => {
      hub.address = address;
    },
    sent,
    lostAnswers: () => 0,
    async tell({ chat, text }) {
      const page = await ask(text);
      sent.set(chat, [...(sent.get(chat) ?? []), page]);
      return 1;
    },
    close: () => {},
  };
}
