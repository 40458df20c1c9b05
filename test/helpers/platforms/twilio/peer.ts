import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import twilio from 'twilio';
import { z } from 'zod';
import { faultOfMessage } from './spec.ts';

export interface SentMessage {
  readonly sid: string;
  readonly to: string;
  /** The text, or the sid of a template and its values. */
  readonly body: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly at: Date;
}

interface Call {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly authorised: boolean;
  /** By `performance`. */
  readonly at: number;
}

interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The fault of the next message. `cut-after`: the connection ends when the message was accepted. */
export type TwilioTrouble = Refusal | 'silent' | 'cut-before' | 'cut-after' | 'garbled';

const STOPS = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'];
const STARTS = ['START', 'YES', 'UNSTOP'];
const DAY_MS = 24 * 60 * 60 * 1_000;
const refused = {
  account: { status: 401, code: 20_003, message: 'Authenticate' },
  missing: { status: 404, code: 20_404, message: 'The requested resource was not found' },
  optedOut: { status: 400, code: 21_610, message: 'Attempt to send to unsubscribed recipient' },
  tooLong: {
    status: 400,
    code: 21_617,
    message: 'The concatenated message body exceeds the 1600 character limit',
  },
  sender: {
    status: 400,
    code: 21_606,
    message: "The 'From' phone number provided is not a valid message-capable Twilio phone number",
  },
} as const;

/** The parts of Twilio that one account needs to send and receive messages, on a free port. */
export async function openTwilioPeer(now: () => Date = () => new Date()) {
  const account = { sid: `AC${'0'.repeat(32)}`, token: 'the-auth-token-of-the-account' };
  const number = '+15551234567';
  const service = `MG${'4'.repeat(32)}`;
  const calls: Call[] = [];
  const sent: SentMessage[] = [];
  const troubles: TwilioTrouble[] = [];
  const optedOut = new Set<string>();
  const heard = new Map<string, Date>();
  const fates = new Map<string, { status: string; error_code: number | null }>();
  const files = new Map<string, { contentType: string; body: Buffer }>();
  const state = { lost: 0, count: 0, status: 'active', hook: { local: '', signed: '' } };
  const root = `/2010-04-01/Accounts/${account.sid}`;

  const sid = (kind: string) => {
    state.count += 1;
    return kind + state.count.toString(16).padStart(32, '0');
  };

  function takeMessage(fields: Readonly<Record<string, string>>): object | Refusal {
    const { To = '', From = '', Body, ContentSid } = fields;
    const fault = faultOfMessage(fields);
    if (fault !== null) return { status: 400, code: 21_000, message: fault };
    const isOurs = [number, `whatsapp:${number}`].includes(From) || fields.MessagingServiceSid === service;
    if (!isOurs) return refused.sender;
    if (optedOut.has(To)) return refused.optedOut;
    if ((Body ?? '').length > 1_600) return refused.tooLong;
    if (!Body && !ContentSid)
      return { status: 400, code: 21_619, message: 'A text message body or media urls must be specified.' };
    const message = {
      sid: sid('SM'),
      to: To,
      body: Body ?? `${ContentSid} ${fields.ContentVariables}`,
      fields,
      at: now(),
    };
    sent.push(message);
    return { sid: message.sid, status: 'queued', to: To, from: From, body: Body ?? '', error_code: null };
  }

  /** Newest first. */
  function sentTo({ To, From }: Readonly<Record<string, string>>): readonly object[] {
    return sent
      .filter(({ to, fields }) => to === To && fields.From === From)
      .map(({ sid, to, body, at }) => ({
        sid,
        to,
        from: From,
        body,
        date_created: at.toUTCString(),
        status: 'sent',
      }))
      .toReversed();
  }

  function answerTo(path: string, fields: Readonly<Record<string, string>>): object | Refusal {
    if (path === `${root}.json`)
      return { sid: account.sid, friendly_name: 'Garden shop', status: state.status };
    if (path === `${root}/IncomingPhoneNumbers.json`) {
      const own = {
        sid: `PN${'1'.repeat(32)}`,
        phone_number: number,
        capabilities: { sms: true, mms: true, voice: true },
      };
      return { incoming_phone_numbers: fields.PhoneNumber === number ? [own] : [], page: 0, page_size: 50 };
    }
    if (path === `/messaging/v1/Services/${service}`)
      return { sid: service, friendly_name: 'Garden shop messages' };
    if (path === `${root}/Messages.json`) return { messages: sentTo(fields), page: 0, page_size: 50 };
    const [, asked = ''] = /\/Messages\/(SM\w+)\.json$/.exec(path) ?? [];
    const message = sent.find((one) => one.sid === asked);
    if (message !== undefined)
      return { sid: asked, status: 'sent', error_code: null, error_message: null, ...fates.get(asked) };
    if (path === '/messaging/v2/Indicators/Typing.json') return { success: true };
    return refused.missing;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://twilio');
    const fields = Object.fromEntries(new URLSearchParams((await text(request)) || url.searchParams));
    const basic = `Basic ${Buffer.from(`${account.sid}:${account.token}`).toString('base64')}`;
    const { authorization } = request.headers;
    const authorised = authorization === basic;
    const call = { path: url.pathname, fields, authorised, at: performance.now() };
    calls.push(call);
    if (url.pathname.startsWith('/storage/')) return hand(response, url.pathname, authorization);
    if (url.pathname === `${root}/Messages.json` && request.method === 'POST')
      return answerMessage(call, { request, response });
    if (!call.authorised) return respond(response, refused.account);
    if (/\/Messages\/SM\w+\.json$/.test(url.pathname) && troubles.shift() === 'garbled')
      return void response.writeHead(502).end('<html>Bad Gateway</html>');
    if (!files.has(url.pathname)) return respond(response, answerTo(url.pathname, fields));
    response.writeHead(307, { location: `/storage${url.pathname}` }).end();
  }

  function answerMessage(
    { fields, authorised }: Call,
    { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  ): void {
    const trouble = troubles.shift();
    if (trouble === 'silent') return;
    if (trouble === 'cut-before') return void request.socket.destroy();
    if (trouble === 'garbled') return void response.writeHead(502).end('<html>Bad Gateway</html>');
    response.on('close', () => {
      if (!response.writableFinished) state.lost += 1;
    });
    const refusal = !authorised ? refused.account : typeof trouble === 'object' ? trouble : null;
    const result = refusal ?? takeMessage(fields);
    if (trouble === 'cut-after') request.socket.destroy();
    else respond(response, result);
  }

  /** The storage of Twilio's files needs no credentials, and should not receive any. */
  function hand(response: ServerResponse, path: string, authorization: string | undefined): void {
    const file = files.get(path.slice('/storage'.length));
    if (file === undefined || authorization !== undefined) return void response.writeHead(400).end();
    response.writeHead(200, { 'content-type': file.contentType }).end(file.body);
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());

  /** Posts as Twilio does: signed for the configured address, and once more only if there is no response. */
  async function post(fields: Readonly<Record<string, string>>): Promise<Response> {
    const signature = twilio.getExpectedTwilioSignature(account.token, state.hook.signed, fields);
    return fetch(state.hook.local, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        'user-agent': 'TwilioProxy/1.1',
        'x-twilio-signature': signature,
      },
      body: new URLSearchParams(fields),
    });
  }

  return {
    url: `http://127.0.0.1:${port}`,
    account,
    number,
    service,
    calls,
    sent,
    optedOut,
    lostAnswers: () => state.lost,
    trouble: (...next: TwilioTrouble[]) => void troubles.push(...next),
    /** Sets the address to which a proxy passes posts on, and the one to which Twilio posts them. */
    hookAt(local: string, signed = local): void {
      state.hook = { local, signed };
    },
    /** Posts a message of a visitor as Twilio does, and obeys the words that Twilio handles itself. */
    async tell(fields: Readonly<Record<string, string>>): Promise<Response> {
      const { From = '', Body = '' } = fields;
      const word = Body.trim().toUpperCase();
      if (!From.startsWith('whatsapp:')) {
        if (STOPS.includes(word)) optedOut.add(From);
        if (STARTS.includes(word)) optedOut.delete(From);
      }
      if (fields.MessageStatus === undefined) heard.set(From, now());
      return post({ ...fields, AccountSid: account.sid });
    },
    /** Reports the status of a sent message. It does not deliver free text that came too late for WhatsApp. */
    async report(
      message: SentMessage,
      status: string,
      more: Readonly<Record<string, string>> = {},
    ): Promise<Response> {
      const { To = '', From = '', Body } = message.fields;
      const last = heard.get(To)?.getTime() ?? 0;
      const isLate = To.startsWith('whatsapp:') && Body !== undefined && now().getTime() - last > DAY_MS;
      const late = { MessageStatus: 'undelivered', SmsStatus: 'undelivered', ErrorCode: '63016' };
      return post({
        MessageSid: message.sid,
        SmsSid: message.sid,
        AccountSid: account.sid,
        ApiVersion: '2010-04-01',
        From,
        To,
        ...(isLate ? late : { MessageStatus: status, SmsStatus: status, ...more }),
      });
    },
    /** The account is `suspended` from now on, or `active` again. */
    suspend: (isSuspended = true) => {
      state.status = isSuspended ? 'suspended' : 'active';
    },
    /** Sets the status of a message without a report. */
    become: (message: SentMessage, status: string, error_code: number | null = null) =>
      void fates.set(message.sid, { status, error_code }),
    /** Keeps a file, and returns the address that a visitor's message names. */
    keepFile(contentType: string, body: Buffer): string {
      const path = `${root}/Messages/${sid('MM')}/Media/${sid('ME')}`;
      files.set(path, { contentType, body });
      return `https://api.twilio.com${path}`;
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

function respond(response: ServerResponse, result: object | Refusal): void {
  const isRefusal = 'code' in result && 'status' in result && typeof result.status === 'number';
  const headers = 'headers' in result && typeof result.headers === 'object' ? result.headers : {};
  const status = isRefusal ? Number(result.status) : 200;
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(isRefusal ? { ...result, headers: undefined } : result));
}
