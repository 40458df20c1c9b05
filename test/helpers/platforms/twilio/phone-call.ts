import twilio from 'twilio';
import { voiceFixture } from './voice-fixture.ts';

interface Line {
  /** The address of this installation, behind the proxy that ends TLS for it. */
  readonly address: string;
  /** As the world knows it. */
  readonly webhookUrl: string;
  readonly authToken: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** The fetch that Twilio uses, for tests that need it to be more patient. */
  readonly fetch?: typeof fetch;
}

/** The instructions of one answer to Twilio. */
export interface Heard {
  readonly status: number;
  readonly said: string;
  readonly twiml: string;
  /** Until the answer was there. */
  readonly tookMs: number;
}

const soon = 100;

/**
 * Twilio's side of a call: it requests as Twilio does, signed, and follows the instructions until the caller has to
 * speak.
 */
export class PhoneCall {
  readonly #line: Line;
  readonly #fields: Readonly<Record<string, string>>;
  #action: string;
  /** Each answer since the call began. */
  readonly heard: Heard[] = [];

  constructor(sid: string, line: Line) {
    this.#line = line;
    this.#action = line.webhookUrl;
    this.#fields = { ...voiceFixture('call-begins'), ...line.fields, CallSid: sid.padEnd(34, '0') };
  }

  begin(): Promise<string> {
    return this.#follow({ CallStatus: 'ringing' }, this.#line.webhookUrl);
  }

  says(words: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
    return this.#follow({ SpeechResult: words, Confidence: '0.91', ...more });
  }

  presses(digit: string): Promise<string> {
    return this.#follow({ Digits: digit });
  }

  keepsQuiet(): Promise<string> {
    return this.#follow({ SpeechResult: '', Confidence: '0.0' });
  }

  hangsUp(): Promise<Heard> {
    return this.ask({ CallStatus: 'completed', CallDuration: '9' }, this.#line.webhookUrl);
  }

  /** Whether the caller is listened to no more. */
  get isOver(): boolean {
    return !this.heard.at(-1)?.twiml.includes('<Gather');
  }

  /** The address that Twilio requests next. */
  get action(): string {
    return this.#action;
  }

  /** Sends one request, without following its answer. */
  async ask(fields: Readonly<Record<string, string>>, url = this.#action): Promise<Heard> {
    const { address, webhookUrl, authToken, fetch: ask = fetch } = this.#line;
    const all = { ...this.#fields, CallStatus: 'in-progress', ...fields };
    const headers = {
      'user-agent': 'TwilioProxy/1.1',
      'x-twilio-signature': twilio.getExpectedTwilioSignature(authToken, url, all),
    };
    const body = new URLSearchParams(all);
    const begun = performance.now();
    const response = await ask(url.replace(new URL(webhookUrl).origin, address), {
      method: 'POST',
      headers,
      body,
    });
    const twiml = await response.text();
    const said = [...twiml.matchAll(/<Say[^>]*>([^<]*)<\/Say>/g)]
      .map(([, words = '']) => plain(words))
      .join(' ');
    const heard = { status: response.status, said, twiml, tookMs: performance.now() - begun };
    this.heard.push(heard);
    return heard;
  }

  async #follow(fields: Readonly<Record<string, string>>, url = this.#action): Promise<string> {
    return await this.follow(await this.ask(fields, url));
  }

  /**
   * Returns all texts that are spoken from an answer on, until the caller may speak, the call ends or goes elsewhere.
   */
  async follow(first: Heard): Promise<string> {
    const said: string[] = [];
    for (let heard = first; ; ) {
      said.push(heard.said);
      const redirect = /<Redirect[^>]*>([^<]+)</.exec(heard.twiml)?.[1];
      this.#action = plain(/<Gather[^>]* action="([^"]+)"/.exec(heard.twiml)?.[1] ?? this.#action);
      if (redirect === undefined) return said.filter((words) => words !== '').join(' ');
      await new Promise((resolve) => setTimeout(resolve, soon));
      heard = await this.ask({}, plain(redirect));
    }
  }
}

function plain(xml: string): string {
  return xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
