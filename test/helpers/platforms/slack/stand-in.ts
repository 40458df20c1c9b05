import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { faultOfCall, isKnownMethod } from './faults.ts';
import { gardenToken, installationMethods, installationOf } from './installations.ts';
import { SlackRefusal, shownIn, slackMessages } from './messages.ts';
import { signSlack } from './sign-request.ts';
import { slackSockets } from './sockets.ts';

type Params = Readonly<Record<string, string>>;

/** The fault of the next call of a method. */
export type SlackTrouble =
  | { readonly kind: 'none' }
  | { readonly kind: 'limited'; readonly retryAfter: number }
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'garbled' }
  /** A proxy answers in its place. */
  | { readonly kind: 'intercepted' }
  /** The method does not exist: a server other than Slack's reports that by its status. */
  | { readonly kind: 'missing' }
  /** The connection ends before, or after, the request was carried out. */
  | { readonly kind: 'cut-before' }
  | { readonly kind: 'cut-after' };

interface App {
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
}

const app: App = {
  botToken: gardenToken,
  appToken: 'xapp-1-the-token-of-the-app',
  signingSecret: 'the-signing-secret-of-the-app',
};

/** Starts Slack on a free port, with one app, as strict as Slack is. It stops after the test file. */
export async function openSlackStandIn() {
  const team = slackMessages();
  const calls: { method: string; params: Params; token: string | undefined }[] = [];
  const waiting = new Map<string, SlackTrouble[]>();
  const revoked = new Set<string>();
  let hook: string | null = null;
  let changed = Promise.withResolvers<void>();
  let address = '';

  const methods: Readonly<Record<string, (params: Params, token: string) => object>> = {
    ...team.methods,
    ...installationMethods,
    'apps.connections.open': () => ({ url: `${address.replace('http', 'ws')}/link/?ticket=1&app_id=2` }),
  };

  /** Sends the file at an address to a client with the token; false if there is none. */
  function hand({ url = '', headers }: IncomingMessage, response: ServerResponse): boolean {
    if (!url.startsWith('/files-pri/')) return false;
    const mayRead = headers.authorization === `Bearer ${app.botToken}`;
    if (mayRead) response.writeHead(200, { 'content-type': 'image/png' }).end('a picture');
    else response.writeHead(302, { location: 'https://garden.slack.com/' }).end();
    return true;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.url?.replace('/api/', '') ?? '';
    const params = Object.fromEntries(new URLSearchParams(await text(request)));
    const token = request.headers.authorization?.replace('Bearer ', '');
    calls.push({ method, params, token });
    changed.resolve();
    changed = Promise.withResolvers();
    const trouble = waiting.get(method)?.shift();
    if (trouble?.kind === 'cut-before') return void request.socket.destroy();
    if (trouble?.kind === 'garbled') return void response.writeHead(502).end('<html>Bad Gateway</html>');
    if (trouble?.kind === 'intercepted') return void response.writeHead(200).end('<html>Log in</html>');
    if (trouble?.kind === 'missing') return void response.writeHead(404).end('{"message":"Not Found"}');
    if (trouble?.kind === 'limited') {
      const headers = { 'retry-after': String(trouble.retryAfter), 'content-type': 'application/json' };
      return void response.writeHead(429, headers).end('{"ok":false,"error":"ratelimited"}');
    }
    const body = outcomeOf(token, { method, params, trouble });
    if (trouble?.kind === 'cut-after') return void request.socket.destroy();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  function outcomeOf(
    token: string | undefined,
    { method, params, trouble }: { method: string; params: Params; trouble: SlackTrouble | undefined },
  ): object {
    try {
      requireToken(token, method);
      if (!isKnownMethod(method)) throw new SlackRefusal('unknown_method');
      const fault = faultOfCall(method, params);
      if (fault !== null) throw new SlackRefusal('invalid_arguments', fault);
      if (trouble?.kind === 'refused') throw new SlackRefusal(trouble.error);
      return { ok: true, ...methods[method]?.(params, token ?? '') };
    } catch (error) {
      if (!(error instanceof SlackRefusal)) throw error;
      const messages = error.message === '' ? [] : [`[ERROR] ${error.message}`];
      return {
        ok: false,
        error: error.code,
        ...(messages.length > 0 && { response_metadata: { messages } }),
      };
    }
  }

  function requireToken(token: string | undefined, method: string): void {
    if (method === 'oauth.v2.access') return;
    if (token === undefined) throw new SlackRefusal('not_authed');
    if (revoked.has(token)) throw new SlackRefusal('token_revoked');
    const isGood =
      method === 'apps.connections.open' ? token === app.appToken : installationOf(token) !== undefined;
    if (!isGood) throw new SlackRefusal('invalid_auth');
  }

  /** Posts as Slack does: an event as JSON, a button press as a form. */
  async function post(payload: object, headers: Readonly<Record<string, string>>): Promise<Response> {
    const isForm = 'actions' in payload || 'command' in payload;
    const body = isForm ? formOf(payload) : JSON.stringify(payload);
    return fetch(hook ?? '', {
      method: 'POST',
      headers: {
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        ...signSlack(body, app.signingSecret, new Date()),
        ...headers,
      },
      body,
    });
  }

  const server = createServer((request, response) => {
    if (!hand(request, response)) void answer(request, response);
  });
  const sockets = slackSockets(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new TypeError('no port');
  address = `http://127.0.0.1:${listening.port}`;
  afterAll(() => {
    sockets.close();
    server.closeAllConnections();
    server.close();
  });

  return {
    url: address,
    /** The address of a picture that the app may see. */
    picture: `${address}/files-pri/T0GARDEN1-F0PICTURE/download/plant.png`,
    app,
    ...team,
    sockets,
    calls,
    revoked,
    countOf: (method: string) => calls.filter((call) => call.method === method).length,
    /** Resolves when a method was called this many times in all. */
    async until(method: string, count: number): Promise<void> {
      while (calls.filter((call) => call.method === method).length < count) await changed.promise;
    },
    trouble: (method: string, ...next: SlackTrouble[]) => void waiting.set(method, next),
    postTo: (url: string) => {
      hook = url;
    },
    post,
    /** Sends an event, and again if it was refused, as Slack does. */
    async tell(payload: object): Promise<number> {
      for (let attempt = 0; ; attempt += 1) {
        const retry = { 'x-slack-retry-num': String(attempt), 'x-slack-retry-reason': 'http_error' };
        const response = await post(payload, attempt === 0 ? {} : retry);
        if (response.ok || attempt === 3) return response.status;
      }
    },
    /** Returns the texts in a thread, all together. */
    said: (channel: string, thread: string | null) =>
      team.messages
        .filter((message) => message.channel === channel && message.thread === thread)
        .map(shownIn)
        .join('\n'),
  };
}

function formOf(payload: object): string {
  if (!('command' in payload)) return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const fields = Object.entries(payload).map(([name, value]) => [name, String(value)] as const);
  return new URLSearchParams(Object.fromEntries(fields)).toString();
}
