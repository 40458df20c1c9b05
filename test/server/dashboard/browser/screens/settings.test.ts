import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { runWebhookWorker } from '../../../../../workers/webhooks/worker.ts';
import { plainTurn } from '../../../../helpers/models/plain-turn.ts';
import { findFaults } from '../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath, openBrowser } from '../../../../helpers/servers/browser/open-browser.ts';
import { findBarriers } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { openWebhookReceiver } from '../../../../helpers/servers/network/webhook-receiver.ts';
import { openTestServer } from '../../../../helpers/servers/open-test-server.ts';
import { type SignedIn, signInPerson } from '../../../../helpers/servers/sign-in-person.ts';

const run = promisify(execFile);

const recordViolations = `
  window.violations = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    window.violations.push(violatedDirective + ' ' + blockedURI));
`;

describe.skipIf(chromiumPath === undefined)(
  'settings in the browser (skipped without Chromium)',
  async () => {
    if (chromiumPath === undefined) return;
    const server = await openTestServer({ runtime: { environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' } } });
    const { runtime, app } = server;
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const browser = await openBrowser();
    const stopWorker = await runWebhookWorker(runtime);
    const receiver = await openWebhookReceiver();
    afterAll(async () => {
      await browser.close();
      await stopWorker();
    });
    const workspace = await server.makeWorkspace({ name: 'Acme' });
    await server.addDocument(workspace.id, '# Socks\n\nWe sell red socks made of wool.');
    const { owner: ownerId } = workspace;
    const owner = await signInPerson(server, { email: 'maya@acme.example', role: 'owner', ownerId });
    const viewer = await signInPerson(server, { email: 'vic@acme.example', role: 'viewer', ownerId });

    async function visit(path: string, person: SignedIn = owner, options: BrowserContextOptions = {}) {
      const own = await browser.newContext(options);
      const cookies = person.cookie.split('; ').map((pair) => {
        const [name = '', value = ''] = pair.split('=', 2);
        return { name, value, url: address };
      });
      await own.addCookies(cookies);
      const page = await own.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.addInitScript(recordViolations);
      await open(page, path);
      // Until the browser app is built, its page loads itself again.
      complaints.length = 0;
      return { own, page, complaints };
    }

    async function open(page: Page, path: string): Promise<void> {
      await page.goto(`${address}/dashboard/w/${workspace.id}/settings${path}`);
      await page.locator('h1').waitFor();
    }

    const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

    test('a new key comes with a command that answers, from bash and in the page', async () => {
      const { page, own } = await visit('');
      await page
        .getByRole('navigation', { name: 'Pages of the settings' })
        .getByText('API keys')
        .press('Enter');
      await title(page, 'API keys');
      await page.getByRole('button', { name: 'Create key' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await dialog.waitFor();
      await page.keyboard.type('Order page');
      await page.keyboard.press('Enter');
      await page.getByText('“Order page” is ready').waitFor();
      const command = await page.getByRole('tabpanel', { name: 'curl' }).locator('code').innerText();
      const { stdout } = await run('bash', ['-c', command]);
      expect(JSON.parse(stdout).answer).toContain('Acme');
      await page.getByRole('button', { name: 'Try it' }).press('Enter');
      await page.getByText(/# 200 in \d+ ms/).waitFor();
      expect(await page.getByRole('tabpanel').innerText()).toContain('Acme');
      expect(await findBarriers(page)).toEqual([]);
      await page.reload();
      const row = page.getByRole('row', { name: /Order page/ });
      await row.getByText('2 good').waitFor();
      expect(await row.innerText()).toContain('you');
      expect(await page.content()).not.toContain('is ready');
      await own.close();
    });

    test('a key gets the rights that were ticked, in this workspace only, and the list shows them', async () => {
      const { page, own } = await visit('/keys?new=1');
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Help desk');
      const preset = dialog.getByLabel('Rights');
      await preset.selectOption('Everything below');
      await preset.selectOption('Ask and read');
      await dialog.getByRole('checkbox', { name: 'Ask questions and rate answers' }).uncheck();
      await dialog.getByRole('checkbox', { name: 'Answer visitors as a person' }).check();
      expect(await preset.inputValue()).toBe('chosen');
      expect(await findBarriers(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('“Help desk” is ready').waitFor();
      expect(await page.getByRole('button', { name: 'Try it' }).count()).toBe(0);
      const row = page.getByRole('row', { name: /Help desk/ });
      await row.getByText('Only this workspace').waitFor();
      const scopes = ['conversations:read', 'conversations:write', 'conversations:reply'];
      await row.getByText(scopes.join(', ')).waitFor();
      const { items } = await runtime.apiKeys.list(workspace.id, { limit: 100 });
      expect(items.find(({ name }) => name === 'Help desk')).toMatchObject({ scopes, workspaces: 'own' });
      await own.close();
    });

    test('a key is rotated with the grace that was chosen, and revoked with a way back', async () => {
      const { apiKey, value } = await runtime.apiKeys.create(workspace.id, { name: 'Kiosk' });
      const { page, own } = await visit('/keys');
      await page.getByRole('button', { name: 'Rotate “Kiosk”' }).click();
      const drawer = page.getByRole('dialog', { name: 'Rotate “Kiosk”' });
      await drawer.getByLabel('The old value works for').selectOption('3 days');
      await drawer.getByRole('button', { name: 'Make a new value' }).click();
      await page.getByText('“Kiosk (new value)” is ready').waitFor();
      const { items } = await runtime.apiKeys.list(workspace.id, { limit: 100 });
      const until = items.find(({ id }) => id === apiKey.id)?.previousValidUntil?.getTime() ?? 0;
      expect((until - runtime.clock.now().getTime()) / 3_600_000).toBeGreaterThan(71);
      expect((await server.query(value, { query: 'Socks?' })).statusCode).toBe(200);

      await page.getByRole('button', { name: 'More for Kiosk' }).click();
      await page.getByRole('menuitem', { name: 'Revoke' }).click();
      await page.getByText('“Kiosk” is revoked').waitFor();
      await expect.poll(() => page.getByRole('row', { name: /Kiosk/ }).count()).toBe(0);
      expect((await server.query(value, { query: 'Socks?' })).statusCode).toBe(401);
      await page.keyboard.press('z');
      await page.getByRole('row', { name: /Kiosk/ }).waitFor();
      expect((await server.query(value, { query: 'Socks?' })).statusCode).toBe(200);
      await own.close();
    });

    test('a setting is saved, refused at its field in the words of the server, and reset', async () => {
      const { page, own } = await visit('/answers');
      await page.getByLabel('When the documents do not answer').selectOption('fallback');
      await page.getByLabel('Embedding model').fill('nobody:knows');
      const answers = page.getByRole('region', { name: 'Answers', exact: true });
      const save = answers.getByRole('button', { name: 'Save' });
      await save.click();
      await page.getByText('settings.embedding_model must be built-in or provider:model').waitFor();
      expect(await page.getByLabel('Embedding model').getAttribute('aria-invalid')).toBe('true');
      expect(await findBarriers(page)).toEqual([]);
      await page.getByLabel('Embedding model').fill('');
      await page.getByRole('checkbox', { name: 'Collect lead' }).uncheck();
      await save.click();
      await page.getByText('Saved').waitFor();
      const settings = async () => (await runtime.workspaces.get(workspace.id)).settings;
      expect(await settings()).toEqual({
        strictness: 'fallback',
        skills: ['knowledge_search', 'escalate_to_human'],
      });
      await page.getByRole('button', { name: 'Reset to default: When the documents do not answer' }).click();
      await page.getByRole('button', { name: 'Reset to default: Built-in skills' }).click();
      await save.click();
      await expect.poll(settings).toEqual({});
      await own.close();
    });

    test('support hours are set by the week', async () => {
      const { page, own } = await visit('/hours');
      await page.getByRole('button', { name: 'Set hours' }).click();
      await page.getByLabel('Time zone').fill('Europe/Berlin');
      await page.getByLabel('Monday opens').fill('08:30');
      await page.getByRole('button', { name: 'Remove hours of Friday' }).click();
      await page.getByRole('region', { name: 'Support hours' }).getByRole('button', { name: 'Save' }).click();
      await expect
        .poll(async () => (await runtime.workspaces.get(workspace.id)).settings.support_hours)
        .toMatchObject({ time_zone: 'Europe/Berlin', monday: [{ from: '08:30', to: '17:00' }], friday: [] });
      await own.close();
    });

    test('a rotated identity secret is shown once and signs visitors, beside the old one', async () => {
      const { page, own } = await visit('/identity');
      await page.getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('button', { name: 'Make a new value' }).click();
      await page.getByText('“Identity secret” is ready').waitFor();
      const secret = await page.getByText(/^ids_/).innerText();
      await page.getByText('The old value works until').waitFor();
      for (const key of [secret, workspace.identitySecret]) {
        const hash = createHmac('sha256', key).update('user-1').digest('hex');
        const user = { user_id: 'user-1', hash };
        expect((await server.query(workspace.key, { query: 'Socks?', user })).statusCode).toBe(200);
      }
      await own.close();
    });

    test('a webhook gets a test event, and a delivery is sent again', async () => {
      const { page, own } = await visit('/webhooks');
      await page.getByRole('button', { name: 'Add webhook' }).click();
      await page.getByLabel('Address').fill(receiver.url);
      await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
      await page.getByText('“Secret of the webhook” is ready').waitFor();
      await page.getByRole('link', { name: receiver.url }).click();
      await page.getByRole('button', { name: 'Send a test event' }).click();
      await receiver.until(1);
      const row = page.getByRole('row', { name: /webhook.test/ });
      await row.getByText('Delivered').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await row.getByRole('button', { name: 'Send again' }).click();
      const [first, second] = await receiver.until(2);
      expect(second?.body).toBe(first?.body);
      await page.getByRole('button', { name: 'Switch off' }).click();
      await page.getByText('maya disabled the webhook.').waitFor();
      await own.close();
    });

    test('a skill is made and tested in place', async () => {
      receiver.answer = (response) =>
        void response
          .setHeader('content-type', 'application/json')
          .end('{"finding":"Order 7 is on its way."}');
      const { page, own } = await visit('/skills/new');
      await page.getByLabel('Name').fill('Wrong Name');
      await page.getByLabel('When to use it').fill('Looks up an order.');
      await page.getByLabel('Address').fill(receiver.url);
      await page.getByRole('button', { name: 'Add skill' }).click();
      await page.getByText('name must be 1 to 64 lower-case letters').waitFor();
      await page.getByLabel('Name').fill('order_status');
      await page.getByRole('button', { name: 'Add skill' }).click();
      await page.getByText('“Secret of order_status” is ready').waitFor();
      await page.getByLabel('Arguments').fill('{"order_id":"7"}');
      await page.getByRole('button', { name: 'Call it' }).click();
      await page.getByText('Order 7 is on its way.').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await own.close();
    });

    test('webhooks, skills, snippets and tags come back with the key Z, as they were', async () => {
      const at = `/workspaces/${workspace.id}`;
      const url = 'https://shop.example/undo';
      const hook = (await server.operate('POST', `${at}/webhooks`, { url, events: ['*'] })).json();
      const fields = {
        description: 'Looks up an order.',
        url,
        parameters: { type: 'object', properties: {} },
      };
      const skill = (await server.operate('POST', `${at}/skills`, { name: 'undo_me', ...fields })).json();
      const asked = await server.query(workspace.key, { query: 'Do you sell socks?' });
      await app.inject({
        method: 'PATCH',
        url: `/v1/conversations/${asked.json().conversation_id}`,
        headers: { authorization: `Bearer ${workspace.key}` },
        payload: { tags: ['vip'] },
      });
      const { page, own, complaints } = await visit(`/webhooks/${hook.id}`);
      for (const [path, said, back] of [
        [`/webhooks/${hook.id}`, 'The webhook to shop.example is deleted', url],
        [`/skills/${skill.id}`, 'undo_me is deleted', 'undo_me'],
      ] as const) {
        await open(page, path);
        await page.getByRole('button', { name: 'Delete', exact: true }).click();
        await page.getByText(said).waitFor();
        await page.getByRole('link', { name: back }).waitFor({ state: 'detached' });
        await page.keyboard.press('z');
        await page.getByRole('link', { name: back }).click();
        await page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
        expect(page.url()).toContain(path);
      }
      await open(page, '/tags');
      await page.getByRole('button', { name: 'Remove “vip” everywhere' }).click();
      await page.getByText('“vip” is removed everywhere').waitFor();
      await page.getByText('No tag yet').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.press('z');
      await page.getByRole('cell', { name: 'vip', exact: true }).waitFor();
      await server.operate('DELETE', `${at}/webhooks/${hook.id}`);
      await server.operate('DELETE', `${at}/skills/${skill.id}`);
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('the fields that the server describes are German for a German person', async () => {
      const { page, own } = await visit('/answers', owner, { locale: 'de-DE' });
      const field = page.getByLabel('Wenn die Dokumente nicht antworten');
      await field.waitFor();
      expect(await field.locator('option').allInnerTexts()).toEqual([
        'Es sagen',
        'Das Wissen des Sprachmodells ergänzen',
      ]);
      await page.getByText('Standard: Es sagen').waitFor();
      await page.getByLabel('Einen Menschen holen', { exact: true }).waitFor();
      await open(page, '/hours');
      await page.getByLabel('Erste Antwort (Minuten)').waitFor();
      expect(await page.locator('body').innerText()).not.toMatch(
        /Targets for people|First response|When people/,
      );
      await own.close();
    });

    test('the limits of the tiers show what they would have meant, and are saved together', async () => {
      const shop = await server.makeWorkspace({ name: 'Tiers', owner: ownerId });
      const { page, own, complaints } = await visit('/answers');
      const go = () => page.goto(`${address}/dashboard/w/${shop.id}/settings/answers`);
      await go();
      const section = page.getByRole('region', { name: 'How sure an answer has to be' });
      await section.getByText('No answers in the last 30 days.').waitFor();
      for (const probability of [0.1, 0.32, 0.32, 0.7, 0.9]) {
        const turn = plainTurn(shop.id);
        await runtime.conversations.storeTurn({ ...turn, answer: { ...turn.answer, probability } });
      }
      await go();
      await section.getByText('40 % of answers').first().waitFor();
      await section.getByLabel('Shown as unsure from').fill('35');
      await section.getByText('60 % of answers').waitFor();
      await section.getByLabel('Shown as the answer from').fill('30');
      await section.getByText('At most the value above.').waitFor();
      expect(await section.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      await section.getByLabel('Shown as unsure from').fill('30');
      await section.getByText('80 % of answers').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await section.getByRole('button', { name: 'Save' }).click();
      await section.getByText('Saved').waitFor();
      const { settings } = await runtime.workspaces.get(shop.id);
      expect(settings).toMatchObject({ answer_from: 0.3, maybe_from: 0.3 });
      await runtime.workspaces.delete(shop.id);
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('a text for one language is written beside its preview, and the others keep theirs', async () => {
      const { page, own, complaints } = await visit('/answers');
      const preview = page.getByRole('figure', { name: 'As visitors see it' });
      await preview.getByText('I could not find an answer').waitFor();
      await page.getByLabel('Language', { exact: true }).selectOption('de');
      await preview.getByText('in meinen Unterlagen keine Antwort').waitFor();
      await page.getByLabel('Text: German').fill('Rufen Sie uns an.');
      await preview.getByText('Rufen Sie uns an.').waitFor();
      const form = page.locator('form').filter({ has: preview });
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText('1 language has a text of its own.').waitFor();
      await form.getByText('Saved').waitFor();
      const { settings } = await runtime.workspaces.get(workspace.id);
      expect(settings.fallback_messages).toEqual({ de: 'Rufen Sie uns an.' });
      await page.reload();
      await preview.getByText('Rufen Sie uns an.').waitFor();
      await page.getByLabel('Language', { exact: true }).selectOption('ar');
      await preview.getByText('لم أجد إجابة').waitFor();
      expect(await preview.locator('[lang=ar]').getAttribute('dir')).toBe('rtl');
      expect(await findBarriers(page)).toEqual([]);
      await page.getByLabel('Language', { exact: true }).selectOption('de');
      await page.getByRole('button', { name: 'Use the usual text' }).click();
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText('No language has a text of its own.').waitFor();
      await form.getByText('Saved').waitFor();
      expect((await runtime.workspaces.get(workspace.id)).settings).not.toHaveProperty('fallback_messages');
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('the sentence that a machine answers is shown as it is, replaced for one language, and switched off', async () => {
      const { page, own, complaints } = await visit('/answers');
      const preview = page.getByRole('figure', { name: 'At the start of a conversation' });
      await preview.getByText('A machine answers from our help pages.').waitFor();
      await page.getByLabel('Language of the sentence').selectOption('de');
      const field = page.getByLabel('Sentence: German');
      expect(await field.getAttribute('placeholder')).toMatch(/^Hier antwortet eine Maschine/);
      await field.fill('Hier schreibt unser Automat.');
      await preview.getByText('Hier schreibt unser Automat.').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      const form = page.locator('form').filter({ has: preview });
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('Saved').waitFor();
      const answers = page.getByRole('region', { name: 'Answers', exact: true });
      await answers.getByLabel('Say that a machine answers').uncheck();
      await answers.getByRole('button', { name: 'Save' }).click();
      await answers.getByText('Saved').waitFor();
      const settings = async () => (await runtime.workspaces.get(workspace.id)).settings;
      expect(await settings()).toMatchObject({
        disclosure_messages: { de: 'Hier schreibt unser Automat.' },
        disclosure_enabled: false,
      });
      await runtime.workspaces.update(workspace.id, {
        settings: { disclosure_messages: null, disclosure_enabled: null },
      });
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('snippets are written, and brought back after a deletion', async () => {
      const { page, own } = await visit('/snippets');
      await page.getByRole('button', { name: 'Add snippet' }).click();
      await page.getByLabel('Name').fill('returns');
      await page.getByLabel('Text').fill('Within 30 days.');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Delete: returns' }).click();
      await page.getByText('“returns” is deleted').waitFor();
      await page.getByText('No snippet yet').waitFor();
      await page.keyboard.press('z');
      await page.getByRole('link', { name: 'returns' }).waitFor();
      await own.close();
    });

    test('a viewer reads settings, and is told whom to ask for the rest', async () => {
      const { page, own, complaints } = await visit('/general', viewer);
      await page.getByText('Settings are for owners. You can read them.').waitFor();
      expect(await page.getByLabel('Description').isDisabled()).toBe(true);
      for (const [path, words] of [
        ['/keys', 'API keys are for owners.'],
        ['/webhooks', 'Webhooks are for owners.'],
        ['/skills', 'Skills are for owners.'],
        ['/identity', 'The identity secret is for owners.'],
        ['/usage', 'Usage is for owners.'],
        ['/danger', 'Only owners delete a workspace.'],
      ] as const) {
        await open(page, path);
        await page.getByText(`${words} Ask an owner of this workspace.`).waitFor();
        expect(await findBarriers(page)).toEqual([]);
      }
      expect(complaints).toEqual([]);
      await own.close();
    });

    const routes = [
      ['', 'Settings'],
      ['/general', 'General'],
      ['/answers', 'Answers'],
      ['/hours', 'Hours and SLA'],
      ['/skills', 'Skills'],
      ['/skills/new', 'New skill'],
      ['/snippets', 'Snippets'],
      ['/snippets?new=1', 'Snippets'],
      ['/tags', 'Tags'],
      ['/keys', 'API keys'],
      ['/keys?new=1', 'API keys'],
      ['/keys?revoked=1', 'API keys'],
      ['/webhooks', 'Webhooks'],
      ['/identity', 'Identity'],
      ['/usage', 'Usage'],
      ['/danger', 'Danger zone'],
      ['/nothing', 'Nothing here'],
    ] as const;

    test('every page has a title, no barrier and no sideways scrolling', async () => {
      const { page, own, complaints } = await visit('', owner);
      for (const [path, name] of routes) {
        await open(page, path);
        await page.getByRole('heading', { level: 1, name, includeHidden: true }).waitFor();
        if (path.includes('new=1')) await page.getByRole('dialog').waitFor();
        expect(await page.title()).toBe(`${name} · Parley`);
        expect([path, await findFaults(page, { name: `settings${path}` })]).toEqual([path, []]);
      }
      expect(complaints).toEqual([]);
      await own.close();
    }, 300_000);

    test('a workspace is deleted once its name is typed', async () => {
      const { page, own } = await visit('/danger');
      const button = page.getByRole('button', { name: 'Delete the workspace' });
      await page.getByLabel('Type Acme to confirm').fill('Acm');
      expect(await button.isDisabled()).toBe(true);
      await page.getByLabel('Type Acme to confirm').fill('Acme');
      await page.keyboard.press('Enter');
      await page.getByText('No workspace yet').waitFor();
      expect(await runtime.workspaces.find(workspace.id)).toBeNull();
      await own.close();
    });
  },
);
