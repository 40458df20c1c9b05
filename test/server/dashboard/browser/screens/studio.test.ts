import { afterAll, describe, expect, test } from 'vitest';
import { connectors } from '../../../../../connectors/registry.ts';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { findBarriers } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { openSignedInPages } from '../../../../helpers/servers/browser/open-signed-in-page.ts';
import { openTestServer } from '../../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../../helpers/servers/sign-in-person.ts';

const server = await openTestServer({ runtime: { connectors } });
const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
const workspace = await server.makeWorkspace({ name: 'Garden' });
const maya = await signInPerson(server, {
  email: 'maya@shop.example',
  role: 'owner',
  ownerId: workspace.owner,
});
const channels = `/workspaces/${workspace.id}/channels`;
const add = async (channel: string, settings: object = {}): Promise<string> =>
  (await server.operate('POST', channels, { channel, name: `Shop ${channel}`, settings })).json().id;
const widget = await add('widget', { allowed_domains: ['*.shop.example'] });
const hosted = await add('hosted', { slug: 'garden-help' });

describe('the preview of settings that are not saved', () => {
  const preview = (channel: string, body: object) =>
    maya.call('POST', `/admin/v1${channels}/${channel}/preview`, body);

  test('is checked by the schema of saved settings, and stores nothing', async () => {
    const read = async () => (await server.operate('GET', `${channels}/${widget}`)).json();
    const before = await read();
    const settings = { colour: 'green' };
    const refused = await preview(widget, { settings });
    const saving = await maya.call('PATCH', `/admin/v1${channels}/${widget}`, { settings });
    expect(refused.statusCode).toBe(422);
    expect(refused.json()).toMatchObject({ code: 'invalid_settings', detail: saving.json().detail });
    expect((await preview(widget, { settings: { colour: '#117a3d', title: 'Vases' } })).statusCode).toBe(200);
    expect(await read()).toEqual(before);
  });

  test('may be framed by the dashboard alone, needs a session, and the public page may be framed by nobody', async () => {
    const shown = (await preview(hosted, { settings: { title: 'Vases' } })).json();
    expect(shown.frames.map(({ kind }: { kind: string }) => kind)).toEqual(['hosted', 'widget']);
    for (const { address: url } of shown.frames) {
      const page = await maya.call('GET', url);
      const policy = String(page.headers['content-security-policy']);
      expect(page.statusCode).toBe(200);
      expect(policy).toContain("frame-ancestors 'self'");
      expect(policy).toContain("connect-src 'none'");
      expect((await server.app.inject({ url })).statusCode).toBe(401);
      const linked = { cookie: maya.cookie, 'sec-fetch-site': 'cross-site' };
      expect((await server.app.inject({ url, headers: linked })).json().code).toBe('cross_site_request');
    }
    const publicPage = await server.app.inject({ url: '/c/garden-help?title=Vases' });
    expect(publicPage.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  test('is hidden from people of other workspaces', async () => {
    const other = await server.makeWorkspace();
    const eve = await signInPerson(server, { email: 'eve@x.example', role: 'owner', ownerId: other.owner });
    const [{ address: url }] = (await preview(widget, {})).json().frames;
    expect((await eve.call('GET', url)).statusCode).toBe(404);
    const own = url.replace(workspace.id, other.id);
    expect((await eve.call('GET', own)).statusCode).toBe(404);
  });

  test.each([
    ['www.shop.example', { allowed: true, reason: 'listed', entry: '*.shop.example', list: 'channel' }],
    ['https://shop.example/pots', { allowed: false, reason: 'not_listed', entry: null }],
    ['javascript://x', { allowed: false, reason: 'no_page' }],
    ['http://parley.example/test', { allowed: true, reason: 'own' }],
  ])('says whether %s may show the widget, and why', async (page, verdict) => {
    expect((await preview(widget, { page })).json().embedding).toMatchObject(verdict);
  });

  test('judges pages by the domains that are not saved, and by those of the workspace where the channel has none', async () => {
    const of = async (settings: object, page: string) =>
      (await preview(widget, { settings, page })).json().embedding;
    expect(await of({ allowed_domains: ['new.example'] }, 'new.example')).toMatchObject({ allowed: true });
    expect(await of({ allowed_domains: null }, 'new.example')).toMatchObject({
      allowed: false,
      reason: 'none_listed',
      list: 'workspace',
    });
    expect(await of({ allowed_domains: null }, 'http://localhost:3000')).toMatchObject({ reason: 'local' });
  });
});

describe.skipIf(chromiumPath === undefined)('the studio, in Chromium (skipped without it)', async () => {
  if (chromiumPath === undefined) return;
  const pages = await openSignedInPages({ address, cookie: maya.cookie });
  afterAll(() => pages.close());
  const studio = (channel: string) => `/w/${workspace.id}/channels/${channel}/studio`;
  const shots = process.env.PARLEY_SHOTS;

  test('shows the real widget and page with a colour and a greeting before they are saved, and keeps the focus', async () => {
    const { page, context, complaints } = await pages.visit(studio(widget));
    const frame = (kind: string) => page.frameLocator(`iframe[title$="${kind}"]:not([data-next])`);
    const asWidget = frame('As a widget');
    const asPage = frame('As a hosted page');
    await asWidget.getByRole('dialog', { name: 'Garden' }).waitFor();
    await asPage.getByRole('heading', { name: 'Garden' }).waitFor();
    await page.getByLabel('Colour').fill('#117a3d');
    const greeting = page.getByLabel('Greeting');
    await greeting.pressSequentially('Ask me about pots.', { delay: 20 });
    for (const shown of [asWidget, asPage]) {
      await shown.getByText('Ask me about pots.').waitFor();
      await shown.getByRole('textbox').waitFor();
    }
    const launcher = asWidget.locator('.launcher');
    await launcher.waitFor({ state: 'attached' });
    const colour = launcher.evaluate(
      (element) => element.ownerDocument.defaultView?.getComputedStyle(element).backgroundColor,
    );
    expect(await colour).toBe('rgb(17, 122, 61)');
    expect(await greeting.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    expect((await server.operate('GET', `${channels}/${widget}`)).json().settings).toEqual({
      allowed_domains: ['*.shop.example'],
    });

    // A wrong setting shows an error, and the frames keep their content.
    await page.getByLabel('Colour').fill('green');
    await page.getByText('Write the colour as #rrggbb').first().waitFor();
    await asWidget.getByText('Ask me about pots.').waitFor();
    await page.getByLabel('Colour').fill('#117a3d');

    await asPage.getByRole('textbox').fill('How big are they?');
    await asPage.getByRole('textbox').press('Enter');
    await asPage.getByRole('list').getByText('This is a preview.').waitFor();
    const said = await server.operate('GET', `/workspaces/${workspace.id}/conversations`);
    expect(said.json().conversations).toEqual([]);

    await page.getByLabel('Page or domain').fill('https://pots.example/blue');
    await page.getByText('No, pots.example may not show the widget.').waitFor();
    await page.getByText('No entry of the allowed domains covers it.').waitFor();
    if (shots !== undefined) {
      await page.setViewportSize({ width: 1440, height: 1000 });
      await page.screenshot({ path: `${shots}/studio-1440.png` });
    }
    // The button is also disabled while it saves: the answer confirms that the settings are stored.
    const stored = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    expect((await stored).status()).toBe(200);
    expect((await server.operate('GET', `${channels}/${widget}`)).json().settings).toMatchObject({
      greeting: 'Ask me about pots.',
    });
    expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([]);
    await context.close();
  }, 60_000);

  test('has its frames under a policy that only this screen has', async () => {
    const policyOf = async (path: string) =>
      (await fetch(`${address}/dashboard${path}`)).headers.get('content-security-policy');
    expect(await policyOf(studio(widget))).toContain("frame-src 'self'");
    expect(await policyOf(`/w/${workspace.id}/channels`)).not.toContain('frame-src');
  });

  test('shows a hosted page in the language of its visitors, without a barrier or sideways scrolling', async () => {
    for (const width of [360, 1440]) {
      const { page, context, complaints } = await pages.visit(studio(hosted), {
        viewport: { width, height: 900 },
      });
      const asPage = page.frameLocator('iframe[title$="As a hosted page"]:not([data-next])');
      await asPage.getByRole('heading', { name: 'Garden' }).waitFor();
      await page.getByLabel('Visitor’s language').selectOption('ar');
      await asPage.locator('[dir="rtl"]').first().waitFor();
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      if (shots !== undefined)
        await page.screenshot({ path: `${shots}/studio-hosted-${width}.png`, fullPage: true });
      expect(complaints).toEqual([]);
      await context.close();
    }
  }, 60_000);
});
