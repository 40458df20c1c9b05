import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { type Frame, readEvents } from '../../../helpers/servers/questions/read-events.ts';
import { BenchError } from '../../bench-error.ts';

const sessionSchema = z.object({ session: z.string() });
const sourcesSchema = z.array(z.object({ title: z.string() }));
const historySchema = z.object({
  answering: z.boolean(),
  messages: z.array(z.object({ role: z.string(), content: z.string(), sources: sourcesSchema })),
});

interface Heard {
  /** Receives the first sign that an answer is generated. */
  readonly onSign: () => void;
}

const lookMs = 250;
const patienceMs = 5_000;

/** The visitor's side of the widget's script, without its screen. */
export class WidgetVisitor {
  readonly #base: string;
  /** Visitors who share a machine are then not counted as one. */
  readonly #from: Readonly<Record<string, string>>;
  #session: string | null = null;

  /** `address`: the visitor's own, if the server believes the proxy that passes on their requests. */
  constructor(base: string, address: string) {
    this.#base = base;
    this.#from = { 'x-forwarded-for': address };
  }

  /** Returns the answer as the visitor reads it. Throws if there is none: the visitor then asks again. */
  async ask(text: string, { onSign }: Heard): Promise<string> {
    this.#session ??= sessionSchema.parse(await (await this.#call('/session', {})).json()).session;
    return (await this.#listen(text, onSign)) ?? this.#find(text);
  }

  /** Returns null if the connection is lost; the answer may still be generated. */
  async #listen(text: string, onSign: () => void): Promise<string | null> {
    const heard: Frame[] = [];
    try {
      const { body } = await this.#call('/ask', { query: text });
      if (body === null) return null;
      for await (const frame of readEvents(body)) {
        if (heard.length === 0) onSign();
        heard.push(frame);
      }
    } catch (error) {
      if (error instanceof BenchError) throw error;
      return null;
    }
    const last = heard.at(-1);
    if (last?.done !== true) return null;
    if (last.error !== undefined) throw new BenchError(last.error);
    return shown(heard.map(({ token = '' }) => token).join(''), last.sources);
  }

  /** Returns the conversation so far, once no answer is being generated. */
  async #find(text: string): Promise<string> {
    for (;;) {
      const response = await this.#call('/messages?limit=100').catch(() => null);
      const { answering, messages } = historySchema.parse(
        (await response?.json()) ?? { answering: true, messages: [] },
      );
      const at = messages.findIndex(({ role, content }) => role === 'user' && content === text);
      const answer = messages[at - 1];
      if (answer !== undefined) return shown(answer.content, answer.sources);
      if (!answering) throw new BenchError('nothing was answered');
      await wait(lookMs);
    }
  }

  /** Throws a BenchError where it is refused. */
  async #call(path: string, body?: object): Promise<Response> {
    const response = await fetch(`${this.#base}${path}`, {
      headers: {
        ...this.#from,
        ...(this.#session !== null && { authorization: `Bearer ${this.#session}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patienceMs),
    });
    if (response.ok) return response;
    throw new BenchError(`${path}: ${response.status}`);
  }
}

/** Each source on a line of its own, as on the screen. */
function shown(text: string, sources: unknown): string {
  const titles = sourcesSchema.parse(sources).map(({ title }) => `🔗 ${title}`);
  return [text, ...new Set(titles)].join('\n');
}
