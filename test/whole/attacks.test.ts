import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startFakeProvider } from '../helpers/models/providers/fake-provider.ts';
import { startDovecot } from '../helpers/platforms/email/start-dovecot.ts';
import { makeFirstWorkspace } from '../helpers/servers/processes/make-first-workspace.ts';
import { runProduct } from '../helpers/servers/processes/run-product.ts';
import { emptyTestFolder, testDataFolder } from '../helpers/stores/databases/test-data-folder.ts';

const adminToken = 'an-operator-token-for-this-test-0123456789';
const mailbox = 'help@shop.example';
const question = 'How long is a reset link valid?';
const answer = 'A reset link is valid for thirty minutes [1].';

const madeSchema = z.looseObject({
  id: z.string(),
  public_token: z.string().nullish(),
  key: z.string().optional(),
});
const sessionSchema = z.object({ session: z.string() });
const pageSchema = z.object({ conversations: z.array(z.unknown()) });

interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly bearer?: string;
  readonly body?: object;
}

/** Each of these inputs once stopped or blocked the process for every tenant. */
describe('hostile input in one workspace', { timeout: 600_000 }, async () => {
  const provider = await startFakeProvider({ calm: answer, endless: 'a.'.repeat(50_000) });
  const dovecot = await startDovecot(join(emptyTestFolder(), 'dovecot'), [mailbox]);
  const folder = testDataFolder();
  await makeFirstWorkspace(folder);
  const product = await runProduct({
    DATA_DIR: folder,
    ADMIN_TOKEN: adminToken,
    ALLOW_PRIVATE_CHANNELS: 'true',
    LLM_MODELS: 'openai:calm,openai:endless',
    ...provider.environment,
  });

  const call = (path: string, { method = 'POST', bearer = adminToken, body }: Call = {}) =>
    fetch(`${product.address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const make = async (path: string, body: object) => {
    const response = await call(`/admin/v1${path}`, { body });
    expect(response.status, await response.clone().text()).toBeLessThan(300);
    return madeSchema.parse(await response.json());
  };
  const openWorkspace = async (settings: object) => {
    const { id, public_token } = await make('/workspaces', { name: 'Shop', plan: 'business', settings });
    const content = 'A reset link is valid for thirty minutes.';
    await make(`/workspaces/${id}/documents?wait=true`, {
      content,
      content_type: 'text/plain',
      title: 'Reset',
    });
    const { key = '' } = await make(`/workspaces/${id}/keys`, { name: 'Test', rate_limit_minute: 1_000 });
    return { id, key, publicToken: public_token ?? '' };
  };
  const query = (key: string) => call('/v1/query', { bearer: key, body: { query: question } });

  const quiet = await openWorkspace({ model: 'openai:calm' });
  const hostile = await openWorkspace({ model: 'openai:endless' });

  /**
   * Returns the longest response time of /healthz during `attack`, in milliseconds, while a visitor keeps
   * asking.
   */
  async function attackBesideVisitor(attack: () => Promise<void>): Promise<number> {
    const over = new AbortController();
    const whileAttacked = async (step: () => Promise<void>) => {
      do await step();
      while (!over.signal.aborted);
    };
    let longest = 0;
    const probing = whileAttacked(async () => {
      const began = performance.now();
      expect((await fetch(`${product.address}/healthz`)).status).toBe(200);
      longest = Math.max(longest, performance.now() - began);
      await pause(20);
    });
    const asking = whileAttacked(async () => {
      const response = await query(quiet.key);
      expect(await response.json()).toMatchObject({ answer: expect.stringContaining('thirty minutes') });
      await pause(100);
    });
    await Promise.all([probing, asking, attack().finally(() => over.abort())]);
    return longest;
  }

  /** On a machine that is busy with other tests even an idle process responds late. */
  async function patience(): Promise<number> {
    const calm = await attackBesideVisitor(async () => {
      for (let asked = 0; asked < 10; asked += 1) await query(quiet.key);
    });
    // A product without guards does not respond for minutes.
    return Math.max(3_000, 3 * calm);
  }

  async function expectOthersAnswered(attack: () => Promise<void>): Promise<void> {
    const bound = await patience();
    expect(await attackBesideVisitor(attack)).toBeLessThan(bound);
  }

  test('a widget question that is rejected before its first word', async () => {
    await make(`/workspaces/${hostile.id}/channels`, { channel: 'widget', name: 'Widget', settings: {} });
    const widget = `/widget/${hostile.publicToken}`;
    const opened = await call(`${widget}/session`, { body: {} });
    const { session } = sessionSchema.parse(await opened.json());
    const requireProof = (required: boolean) =>
      call(`/admin/v1/workspaces/${hostile.id}`, {
        method: 'PATCH',
        body: { settings: { require_identity_verification: required } },
      });
    await requireProof(true);
    await expectOthersAnswered(async () => {
      for (const path of ['/ask', '/human']) {
        const refused = await call(`${widget}${path}`, { bearer: session, body: { query: question } });
        expect(refused.status).toBe(403);
      }
    });
    await requireProof(false);
  });

  test('a model that never ends a sentence', async () => {
    await expectOthersAnswered(async () => {
      const responses = await Promise.all([query(hostile.key), query(hostile.key)]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    });
  });

  test('a skill pattern with catastrophic backtracking', async () => {
    const parameters = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const skill = await make(`/workspaces/${hostile.id}/skills`, {
      name: 'look_up',
      description: 'Looks something up.',
      parameters,
      url: 'https://skills.example/look-up',
    });
    await expectOthersAnswered(async () => {
      const tested = await call(`/admin/v1/workspaces/${hostile.id}/skills/${skill.id}/test`, {
        body: { arguments: { a: `${'a'.repeat(40)}!` } },
      });
      expect(tested.status).toBeLessThan(500);
    });
  });

  test.skipIf(dovecot === null)('an email of ten megabytes of line ends', async () => {
    if (dovecot === null) return;
    const login = { host: '127.0.0.1', secure: false, user: mailbox, pass: dovecot.password };
    const { id } = await make(`/workspaces/${hostile.id}/channels`, {
      channel: 'email',
      name: 'Mail',
      credentials: { imap: { ...login, port: dovecot.imapPort }, smtp: { ...login, port: dovecot.lmtpPort } },
      settings: { from: mailbox, verify: false },
    });
    // The mailbox is read from its position when the listener first opened it.
    const path = `/admin/v1/workspaces/${hostile.id}/channels/${id}`;
    await expect
      .poll(async () => (await call(path, { method: 'GET' })).json(), { timeout: 60_000 })
      .toMatchObject({ status: 'connected' });
    const mail = (name: string, body: string) =>
      [
        'From: Anna <anna@lind.example>',
        `To: ${mailbox}`,
        `Message-ID: <${name}@lind.example>`,
        'Subject: Reset',
        '',
        body,
      ].join('\r\n');
    await expectOthersAnswered(async () => {
      await dovecot.deliver(mail('hostile', '\r\n'.repeat(4_900_000)), mailbox);
      await dovecot.deliver(mail('ordinary', question), mailbox, 'eva@berg.example');
      const path = `/v1/conversations?workspace_id=${hostile.id}&channel=email&q=reset`;
      await expect
        .poll(
          async () => {
            const page = await call(path, { method: 'GET', bearer: hostile.key });
            return pageSchema.parse(await page.json()).conversations.length;
          },
          { timeout: 120_000, interval: 250 },
        )
        .toBeGreaterThan(0);
    });
  });

  test('the process that handled all of it is still the one that was started', async () => {
    expect(product.errors()).not.toContain('"level":"fatal"');
    expect(await product.end('SIGTERM')).toBe(0);
  });
});
