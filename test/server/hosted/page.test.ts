import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { chooseTexts, languages } from '../../../server/widget/texts/choose-texts.ts';
import { openWidgetServer } from '../../helpers/servers/open-widget-server.ts';

const server = await openWidgetServer();
const question = 'How many working days until parcels arrive?';

async function openPage(slug: string, settings: object = {}) {
  const shop = await server.openShop({ slug, ...settings }, {}, 'hosted');
  const address = `${server.address}/c/${slug}`;
  const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
      redirect: 'manual',
    });
  return { shop, address, post };
}

describe('a hosted page', () => {
  test('answers through its form and sets a cookie for the conversation', async () => {
    const { address, post } = await openPage('forms', { title: 'Pots & <b>plants</b>' });
    const asked = await post({ query: question });
    expect([asked.status, asked.headers.get('location')]).toEqual([303, '/c/forms#end']);
    const cookie = asked.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^parley_visitor=vs_[\w-]{43}; Path=\/c\/forms; .*HttpOnly; SameSite=Lax$/);
    const shown = await (await fetch(address, { headers: { cookie } })).text();
    expect(shown).toContain('three working days');
    expect(shown).toContain('Pots &amp; &lt;b&gt;plants&lt;/b&gt;');
    expect(await (await fetch(address)).text()).not.toContain('three working days');
  });

  test('accepts files from its script and shows sent files without scripts', async () => {
    const { address, post } = await openPage('files', { attachments: true });
    const cookie = (await post({ query: question })).headers.get('set-cookie')?.split(';')[0] ?? '';
    const body = new FormData();
    body.set('file', new Blob(['It broke on the way.']), '<b>story</b>.txt');
    const headers = { cookie, origin: server.address };
    const kept = await fetch(`${address}/files`, { method: 'POST', headers, body });
    expect(kept.status).toBe(201);
    const { id } = z.object({ id: z.string() }).parse(await kept.json());
    const asked = await fetch(`${address}/ask`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '', files: [id] }),
    });
    expect(await asked.text()).toContain('I cannot read pictures');
    const shown = await (await fetch(address, { headers: { cookie } })).text();
    expect(shown).toContain('<ul class="sent"><li dir="auto">b&gt;.txt</li></ul>');
    const elsewhere = { cookie, origin: 'https://thief.example' };
    expect((await fetch(`${address}/files`, { method: 'POST', headers: elsewhere, body })).status).toBe(403);
  });

  test('loads nothing from other servers and cannot be framed', async () => {
    const { address } = await openPage('strict', { logo_url: 'https://cdn.shop.example/logo.png' });
    const policy = (await fetch(address)).headers.get('content-security-policy');
    expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self' 'sha256-[\w+/=]+'/);
    expect(policy).toContain("img-src 'self' https://cdn.shop.example;");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test('rejects forms that another site makes a browser post', async () => {
    const { post, address } = await openPage('forged');
    const strangers: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of strangers) expect((await post({ query: question }, headers)).status).toBe(403);
    const session = await fetch(`${address}/session`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    });
    expect(session.status).toBe(403);
    expect(
      (await post({ query: question }, { origin: server.address, 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(303);
  });

  test('keeps an unanswered draft and shows the reason', async () => {
    const { shop, post } = await openPage('used-up');
    const month = new Date(new Date().toISOString().slice(0, 8).concat('01'));
    await server.runtime.database.kysely
      .insertInto('owner_usage')
      .values({ owner_id: shop.owner, month, messages: 10_000 })
      .execute();
    const refused = await post({ query: 'Where is <my> pot?' });
    expect(refused.status).toBe(429);
    const page = await refused.text();
    expect(page).toContain('No more questions can be answered this month.');
    expect(page).toContain('Where is &lt;my&gt; pot?');
  });

  test('is found only by its slug, with an error page in the language of the browser', async () => {
    const missing = await fetch(`${server.address}/c/nowhere`, {
      headers: { 'accept-language': 'de-AT,en' },
    });
    expect(missing.status).toBe(404);
    const told = await missing.text();
    expect(told).toContain('Hier ist keine Seite.');
    expect(told).toContain('<a href="/">Zur Startseite</a>');
    const { shop, address } = await openPage('once');
    await server.operate('PATCH', `/workspaces/${shop.id}/channels/${shop.channelId}`, { enabled: false });
    const off = await fetch(address);
    expect([off.status, (await off.text()).includes('This page is switched off.')]).toEqual([404, true]);
  });

  test.each(languages)('uses %s if its URL says so, whatever the browser prefers', async (language) => {
    const { address } = await openPage(`speaks-${language}`, { suggestions: ['Where is it?'] });
    const { texts, direction } = chooseTexts([language]);
    const headers = { 'accept-language': language === 'fr' ? 'de' : 'fr' };
    const page = await (await fetch(`${address}?lang=${language}`, { headers })).text();
    expect(page).toContain(`<html lang="${language}" dir="${direction}"`);
    for (const said of [texts.send, texts.human, texts.machine]) expect(page).toContain(`>${said}<`);
    const actions = [...page.matchAll(/action="([^"]+)"/g)].map(([, action]) => action?.split('#')[0]);
    expect(actions).toEqual([`/c/speaks-${language}?lang=${language}`]);
  });

  test('keeps the language of its URL through its form', async () => {
    const { address } = await openPage('keeps-german');
    const asked = await fetch(`${address}?lang=de`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ human: 'yes' }).toString(),
      redirect: 'manual',
    });
    expect(asked.headers.get('location')).toBe('/c/keeps-german?lang=de#end');
    const cookie = asked.headers.get('set-cookie')?.split(';')[0] ?? '';
    const shown = await (await fetch(`${address}?lang=de`, { headers: { cookie } })).text();
    expect(shown).toContain(chooseTexts(['de']).texts.askHuman);
  });

  test('asks without scripts whether an unsure answer helped, and thanks for it', async () => {
    const { shop, address } = await openPage('unsure');
    const settings = { answer_from: 0.9, maybe_from: 0.05 };
    await server.operate('PATCH', `/workspaces/${shop.id}`, { settings });
    const submit = (fields: Record<string, string>, cookie = '') =>
      fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
        body: new URLSearchParams(fields).toString(),
        redirect: 'manual',
      });
    const asked = await submit({ query: 'Are parcels quick?' });
    const cookie = asked.headers.get('set-cookie')?.split(';')[0] ?? '';
    const show = async () => (await fetch(address, { headers: { cookie } })).text();
    const page = await show();
    expect(page).toContain('I am not sure; this may be it:');
    expect(page).toContain('>Ask a person<');
    expect(page).not.toContain('>Talk to a person<');
    expect(page).toMatch(/<time datetime="[^"]+">changed \w+ \d+, \d{4}<\/time>/);
    const [, id = ''] = /name="helped" value="(msg_[^"]+)"/.exec(page) ?? [];
    const helped = await submit({ helped: id, query: 'half a draft' }, cookie);
    expect(helped.headers.get('location')).toContain('draft=half');
    const after = await show();
    expect(after).toContain('That helped. Thank you.');
    expect(after).toContain('>Talk to a person<');
    expect(after).not.toContain('name="helped"');
    expect((await submit({ helped: 'msg_unknown' }, cookie)).status).toBe(404);
  });

  test('has a unique slug', async () => {
    const { shop } = await openPage('mine');
    const other = await server.makeWorkspace();
    const add = (slug: string) =>
      server.operate('POST', `/workspaces/${other.id}/channels`, { channel: 'hosted', settings: { slug } });
    expect((await add('mine')).json()).toMatchObject({ code: 'slug_taken' });
    const another = z.object({ id: z.string() }).parse((await add('yours')).json());
    const moved = await server.operate('PATCH', `/workspaces/${other.id}/channels/${another.id}`, {
      settings: { slug: 'mine' },
    });
    expect([moved.statusCode, moved.json().code]).toEqual([409, 'slug_taken']);
    expect((await add('Not a slug')).statusCode).toBe(422);
    expect(shop.channelId).toMatch(/^chan_/);
  });

  test('offers the choice between assistant and agent if configured, also without scripts', async () => {
    const { address } = await openPage('choosing', { choice_at_start: true });
    const page = await (await fetch(address)).text();
    expect(page).toMatch(
      /<li class="choice"><a href="#query">Ask the assistant<\/a><button[^>]*name="human"/,
    );
    const { address: plain } = await openPage('plain', {});
    expect(await (await fetch(plain)).text()).not.toContain('choice"><a');
  });

  test('takes a question from its URL, and excludes search engines if configured', async () => {
    const { address } = await openPage('linked', { noindex: true });
    const response = await fetch(`${address}?q=${encodeURIComponent('Is "it" <safe>?')}`);
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
    expect(await response.text()).toContain('Is "it" &lt;safe&gt;?</textarea>');
  });
});

test('answers a script of another version with the current one, without caching', async () => {
  const old = await fetch(`${server.address}/widget/assets/chat-0123456789ab.js`);
  expect([old.status, old.headers.get('cache-control')]).toEqual([200, 'no-cache']);
  const zipped = await fetch(`${server.address}/widget.js`, { headers: { 'accept-encoding': 'gzip' } });
  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  expect(zipped.headers.get('cache-control')).toContain('max-age=600');
  const etag = zipped.headers.get('etag') ?? '';
  const again = await fetch(`${server.address}/widget.js`, { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
});

test.each([
  ['https://help.example', true],
  ['http://help.example', false],
])('with PUBLIC_URL %s the cookie of an http request is Secure: %s', async (PUBLIC_URL, isSecure) => {
  const published = await openWidgetServer({ runtime: { environment: { PUBLIC_URL } } });
  const slug = `secure-${isSecure}`;
  await published.openShop({ slug }, {}, 'hosted');
  const opened = await fetch(`${published.address}/c/${slug}/session`, { method: 'POST' });
  expect(opened.status).toBe(201);
  expect(/; Secure(?:;|$)/.test(opened.headers.get('set-cookie') ?? '')).toBe(isSecure);
});
