import { BenchError } from '../../bench-error.ts';
import { untilTaken } from '../until-taken.ts';
import type { ChatPlatform } from './chat-platform.ts';

const slug = 'bench';

/** Visitors of the hosted page whose browsers run no scripts: each posts its form, and gets the page again. */
export async function startHostedPlatform(): Promise<ChatPlatform> {
  const sent = new Map<number, readonly string[]>();
  const visitors = new Map<number, PageVisitor>();
  const hub = { address: '' };
  const visitorOf = (chat: number): PageVisitor => {
    const visitor =
      visitors.get(chat) ?? new PageVisitor(`${hub.address}/c/${slug}`, `203.0.113.${chat % 250}`);
    visitors.set(chat, visitor);
    return visitor;
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
    /** Resolves when the page shows the question, with the answer below it. */
    async tell({ chat, text }) {
      const { page, tries } = await visitorOf(chat).ask(text);
      sent.set(chat, [...(sent.get(chat) ?? []), page]);
      return tries;
    },
    close: () => {},
  };
}

/** A person with a browser without scripts. */
class PageVisitor {
  readonly #page: string;
  /** Visitors who share a machine are then not counted as one. */
  readonly #from: Readonly<Record<string, string>>;
  #cookie: string | null = null;

  constructor(page: string, address: string) {
    this.#page = page;
    this.#from = { 'x-forwarded-for': address };
  }

  /** The page with the answer. If the form fails, the visitor looks whether it arrived, and sends it again. */
  async ask(query: string): Promise<{ readonly page: string; readonly tries: number }> {
    // A browser whose first form fails keeps no cookie, and begins again.
    this.#cookie ??= await this.#begin();
    for (let tries = 1; ; tries += 1) {
      await this.#post({ query }).catch(() => null);
      const page = await this.#look();
      if (hasSaid(page, query)) return { page, tries };
    }
  }

  async #begin(): Promise<string> {
    const { response } = await untilTaken(() => this.#post({ query: '' }));
    const [cookie] = response.headers.getSetCookie().map((set) => set.split(';', 1)[0]);
    if (cookie === undefined) throw new BenchError('the page keeps no cookie');
    return cookie;
  }

  async #look(): Promise<string> {
    return (await untilTaken(() => fetch(this.#page, { headers: this.#headers() }))).text;
  }

  #post(form: Readonly<Record<string, string>>): Promise<Response> {
    return fetch(this.#page, {
      method: 'POST',
      headers: this.#headers(),
      body: new URLSearchParams(form),
      redirect: 'manual',
    });
  }

  #headers(): Record<string, string> {
    return { ...this.#from, ...(this.#cookie !== null && { cookie: this.#cookie }) };
  }
}

/** A draft that is back in the field is no message. */
function hasSaid(page: string, query: string): boolean {
  return page.replaceAll(/<textarea[^>]*>[^<]*<\/textarea>/g, '').includes(query);
}
