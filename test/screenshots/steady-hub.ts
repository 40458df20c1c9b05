import type { BrowserContext, Route } from 'playwright-core';

/** The moment at which all pictures are taken: a Tuesday in spring, at twenty past ten. */
export const moment = Date.UTC(2027, 3, 20, 8, 24);
const dayMs = 86_400_000;

/** The address that the pictures show. No request leaves the machine. */
export const shownAddress = 'https://parley.pottleandsprig.example';

/** Changes what the API answered: real values in, the values of a busy week out. */
export type Dress = (answer: unknown) => unknown;

/** The changes by the end of the path of a GET, in the order of trial. */
export type Dresses = readonly (readonly [path: RegExp, dress: Dress])[];

const idPattern = /\b(?:ws|own|doc|chan|key|hook|skill|snip|per|link|evt|conv|msg|req)_[0-9a-z]{26}\b/g;
const secretPattern = /\b(?:pk|pub|ids|whsec)_[\w+/=-]{20,}/g;
const timePattern = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

interface Answered {
  readonly path: string;
  readonly method: string;
  readonly isOk: boolean;
}

/**
 * Serves a hub to browsers under `shownAddress` as it would look at `moment`: ids and secrets become the same in every run,
 * times are moved, and answers are dressed.
 */
export class SteadyHub {
  readonly #local: string;
  readonly #dresses: Dresses;
  readonly #shown = new Map<string, string>();
  readonly #real = new Map<string, string>();

  constructor(local: string, dresses: Dresses) {
    this.#local = local;
    this.#dresses = dresses;
  }

  async open(context: BrowserContext): Promise<void> {
    await context.clock.setFixedTime(moment);
    await context.addInitScript(quietStream);
    await context.route('**/*', (route) => this.#answer(route));
  }

  /** The id that the browser knows instead of `id`. */
  show(id: string): string {
    const known = this.#shown.get(id);
    if (known !== undefined) return known;
    const [prefix = ''] = id.split('_', 1);
    const isId = id.length === prefix.length + 27;
    const filler = isId ? '01kpq4s8xn5y0e7g2h3j4m60000' : 'tR7mW2xK9vQ4nZ8bL5cY1dF6gH3jP0sA4uE8iO2';
    const shown = `${prefix}_${filler.slice(0, id.length - prefix.length - 4)}${String(this.#shown.size + 100)}`;
    this.#shown.set(id, shown);
    this.#real.set(shown, id);
    return shown;
  }

  #hide(text: string): string {
    return text.replaceAll(/\b[a-z]{2,5}_[\w-]{20,}/g, (shown) => this.#real.get(shown) ?? shown);
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request();
    const url = request.url();
    // Streams of news do not end.
    if (!url.startsWith(`${shownAddress}/`) || request.headers().accept === 'text/event-stream')
      return route.abort();
    const headers = Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(':'));
    const body = request.postData();
    const response = await fetch(this.#hide(url.replace(shownAddress, this.#local)), {
      method: request.method(),
      redirect: 'manual',
      headers: headers.flatMap(([name, value]): [string, string][] =>
        ['host', 'connection', 'content-length', 'accept-encoding'].includes(name)
          ? []
          : [[name, this.#hide(value)]],
      ),
      ...(body !== null && { body: this.#hide(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get('content-type') ?? '';
    const kept = [...response.headers].filter(
      ([name]) => !['content-encoding', 'content-length', 'transfer-encoding', 'connection'].includes(name),
    );
    return route.fulfill({
      status: response.status,
      headers: Object.fromEntries(kept),
      body: type.includes('json')
        ? this.#steady(bytes.toString(), {
            path: new URL(url).pathname,
            method: request.method(),
            isOk: response.ok,
          })
        : type.includes('html')
          ? this.#named(bytes.toString())
          : bytes,
    });
  }

  #steady(text: string, { path, method, isOk }: Answered): string {
    const movedBy = moment - Date.now();
    const moved = this.#named(text)
      .replaceAll(timePattern, (time) => new Date(Date.parse(time) + movedBy).toISOString())
      .replaceAll(/"(\d{4}-\d\d-\d\d)"/g, (_whole, day: string) => {
        const days = Math.round(movedBy / dayMs);
        return `"${new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)}"`;
      });
    const dress =
      isOk && method === 'GET' ? this.#dresses.find(([pattern]) => pattern.test(path))?.[1] : undefined;
    return dress === undefined ? moved : JSON.stringify(dress(JSON.parse(moved)));
  }

  #named(text: string): string {
    return text
      .replaceAll(idPattern, (id) => this.show(id))
      .replaceAll(secretPattern, (secret) => this.show(secret));
  }
}

/** In the page: a stream of news that greets and then stays silent, as a route cannot. */
const quietStream = `
  const ask = window.fetch;
  window.fetch = (input, init) => {
    if (!String(input.url ?? input).endsWith('/events')) return ask(input, init);
    const hello = { event: 'hello', version: null, at: new Date().toISOString() };
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('data: ' + JSON.stringify(hello) + '\\n\\n')),
    });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  };
`;
