import axe from 'axe-core';
import type { BrowserContextOptions, Page, Request } from 'playwright-core';
import { afterAll } from 'vitest';
import { z } from 'zod';
import type { TestRuntimeOptions } from '../open-test-runtime.ts';
import { openTestServer } from '../open-test-server.ts';
import { openBrowser } from './open-browser.ts';

export const maya = {
  id: 'per_maya',
  email: 'maya@pottleandsprig.example',
  name: 'Maya Reid',
  language: null,
  time_zone: null,
  theme: 'auto',
  keys_enabled: true,
  notifications: { browser: false, sound: false, views: ['waiting', 'mine'] },
  own_keys: {},
  email_digest: true,
  two_factor_enabled: false,
  has_password: true,
  is_operator: true,
};

const permissions = [
  'workspace:read',
  'workspace:write',
  'knowledge:read',
  'knowledge:write',
  'channels:read',
  'channels:write',
  'keys:write',
];

const workspaces = ['Pottle & Sprig', 'Trade desk'].map((name, position) => ({
  id: `ws_${position + 1}`,
  name,
  owner: 'own_1',
  role: 'owner',
  permissions,
}));

type Reply = { readonly status?: number; readonly json: unknown };
type Answers = Readonly<Record<string, Reply | ((request: Request) => Reply | Promise<Reply>) | undefined>>;

interface VisitOptions {
  /** Replaces answers of the server, by `METHOD /path`. Undefined: the server answers itself. */
  readonly answers?: Answers;
  readonly context?: BrowserContextOptions;
  readonly signedIn?: boolean;
  /** The session of a real person: the server answers itself. */
  readonly cookie?: string;
}

/** Opens the dashboard of a real server in a real browser. The test answers the calls that it names. */
export async function openDashboard(
  environment: Readonly<Record<string, string>> = {},
  runtime: Omit<TestRuntimeOptions, 'environment'> = {},
) {
  const server = await openTestServer({ runtime: { environment, ...runtime } });
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const browser = await openBrowser();
  afterAll(() => browser.close());

  const openPage = async (context: BrowserContextOptions) => {
    const own = await browser.newContext(context);
    const page = await own.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.addInitScript(recordViolations);
    return { own, page, complaints };
  };

  return {
    ...server,
    /** The state of a signed-in person. */
    me: { person: maya, workspaces, permissions: [] },
    address,
    browser,
    /** Opens `path` below `/dashboard` at a host with a name. All calls go to the server. */
    async open(path: string, context: BrowserContextOptions = {}) {
      const { own, page, complaints } = await openPage(context);
      const named = address.replace('127.0.0.1', 'localhost');
      await openBuilt(page, `${named}/dashboard${path}`);
      return { own, page, complaints, address: named };
    },
    /** Opens `path` below `/dashboard`. */
    async visit(path: string, { answers = {}, context = {}, signedIn = true, cookie }: VisitOptions = {}) {
      const { own, page, complaints } = await openPage(context);
      if (cookie !== undefined) await own.addCookies(toCookies(cookie, address));
      const all: Answers = { ...(cookie === undefined && defaultAnswers(signedIn)), ...answers };
      await own.route('**/*', async (route, request) => {
        const { pathname } = new URL(request.url());
        const found = all[`${request.method()} ${pathname}`];
        if (found === undefined) return route.continue();
        const { status = 200, json } = typeof found === 'function' ? await found(request) : found;
        return route.fulfill({ status, json });
      });
      await openBuilt(page, `${address}/dashboard${path}`);
      complaints.length = 0;
      return { page, own, complaints };
    },
  };
}

function defaultAnswers(signedIn: boolean): Answers {
  const refused = { detail: 'Sign in.', code: 'missing_auth', request_id: 'req_1' };
  return {
    'GET /admin/v1/me': signedIn
      ? { json: { person: maya, workspaces, permissions: [] } }
      : { status: 401, json: refused },
    'GET /dashboard/auth-options': { json: { providers: [] } },
    'GET /admin/v1/me/sessions': { json: { sessions: [] } },
    'GET /dashboard/auth/passkey/list-user-passkeys': { json: [] },
    'GET /admin/v1/channel-kinds': { json: { kinds: [], public_url: null } },
    ...Object.assign({}, ...workspaces.map(({ id, name }) => workspaceAnswers(id, name))),
  };
}

function workspaceAnswers(id: string, name: string): Answers {
  const path = `GET /admin/v1/workspaces/${id}`;
  const workspace = { id, name, owner: 'own_1', plan: 'growth', settings: {}, public_token: 'pt_1' };
  return {
    [path]: { json: { ...workspace, created_at: '2026-01-01T00:00:00.000Z' } },
    // No stream: the dashboard asks every ten seconds.
    [`${path}/events`]: { status: 204, json: null },
    [`${path}/settings-schema`]: { json: { type: 'object', properties: {} } },
    [`${path}/mentions`]: { json: { mentions: [], unread: 0 } },
    [`${path}/documents`]: { json: { documents: [], pagination: { next_cursor: null } } },
    [`${path}/documents/counts`]: {
      json: {
        documents: 0,
        statuses: { queued: 0, indexing: 0, indexed: 0, failed: 0 },
        chunks: 0,
        bytes: 0,
      },
    },
    [`${path}/sources`]: { json: { sources: [], pagination: { next_cursor: null } } },
    [`${path}/knowledge/conflicts`]: {
      json: { conflicts: [], pagination: { next_cursor: null, has_more: false } },
    },
    [`${path}/channels`]: { json: { channels: [], pagination: { next_cursor: null } } },
    [`${path}/channel-states`]: {
      json: { states: [], api: { questions: 0, replies: 0, answered: 0 } },
    },
  };
}

export function toCookies(header: string, url: string) {
  return header.split('; ').map((pair) => {
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
  });
}

/** Until the browser app is built, the server sends a page that loads itself again. */
async function openBuilt(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('#app').waitFor({ state: 'attached', timeout: 120_000 });
}

/** Returns the violations of WCAG on the page, by rule with the elements. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  const found = z.array(z.string());
  // Colours that fade in are measured at their end. Loaders turn for ever.
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter((each) => each.effect.getComputedTiming().endTime !== Infinity)
    .map((each) => each.finished.catch(() => {})))`);
  if (!z.boolean().parse(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  return found.parse(
    await page.evaluate(
      `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
    ),
  );
}

const recordViolations = `
  window.violations = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    window.violations.push(violatedDirective + ' ' + blockedURI));
`;
