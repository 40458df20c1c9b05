import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startProcess } from '../bench/http/managed-process.ts';
import { temporaryFolder } from '../bench/temporary-folder.ts';
import { openBrowser } from '../helpers/servers/browser/open-browser.ts';
import { type DashboardData, fillDashboard, openBots } from './dashboard-data.ts';
import { makeLooks, progress } from './dashboard-looks.ts';
import { SteadyHub, shownAddress } from './steady-hub.ts';
import { toWebp } from './to-webp.ts';

/**
 * Takes pictures of the dashboard's screens from an installation of its own, which is gone afterwards:
 * `npm run screenshots -- dashboard [FOLDER [NAME …]]`. Into a folder it writes PNG, of the named screens only; without one,
 * the pictures that pages of the documentation show.
 */
export async function takeDashboardPictures([folder, ...only]: readonly string[]): Promise<void> {
  const bots = await openBots();
  const product = await startProcess({
    program: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', main, 'server', 'workers'],
    environment: {
      DATA_DIR: temporaryFolder(),
      PORT: '0',
      PUBLIC_URL: shownAddress,
      ALLOW_PRIVATE_CHANNELS: 'true',
      LOG_LEVEL: 'error',
    },
    ready: /Demo page/,
  });
  const address = /listens on (http:\S+)/.exec(product.output())?.[1] ?? '';
  const beginToken = /\/dashboard\/begin#(\S+)/.exec(product.output())?.[1] ?? '';
  const browser = await openBrowser();
  const documented = await findShownImages();
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  const take = async (hub: SteadyHub, cookie: string, screens: readonly Screen[]) => {
    for (const screen of screens) {
      if (only.length > 0 && !only.includes(screen.name)) continue;
      for (const kind of screen.kinds ?? ['light']) {
        const file = `dashboard-${screen.name}-${kind}`;
        if (folder === undefined && !documented.has(`${file}.webp`)) continue;
        const png = await picture(browser, { hub, cookie, screen, kind });
        if (folder !== undefined) await writeFile(resolve(folder, `${file}.png`), png);
        else await writeFile(new URL(`${file}.webp`, images), await toWebp(browser, png));
      }
    }
  };
  await take(new SteadyHub(address, []), '', [
    {
      name: 'begin',
      path: `/begin#${beginToken}`,
      act: async (page) => page.getByLabel('Name').fill('Maya Reid'),
    },
  ]);
  const data = await fillDashboard(address, beginToken, bots.address);
  const names = new Map<string, string>();
  const hub = new SteadyHub(address, makeLooks(names));
  for (const [name, id] of data.channels) names.set(hub.show(id), name);
  await take(hub, '', [{ name: 'sign-in', path: '/sign-in', kinds: both }]);
  await take(
    hub,
    data.cookie,
    screensOf(data, (id) => hub.show(id)),
  );
  await browser.close();
  await product.stop();
  bots.close();
}

/** Returns the names of the images that pages of the documentation show. */
async function findShownImages(): Promise<ReadonlySet<string>> {
  const pages = new URL('../../server/docs/pages/', import.meta.url);
  const texts = await Promise.all(
    (await readdir(pages)).map((name) => readFile(new URL(name, pages), 'utf8')),
  );
  texts.push(await readFile(new URL('../../README.md', import.meta.url), 'utf8'));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/images\/([\w-]+\.webp)/gu)].map(([, name = '']) => name)),
  );
}

const main = resolve(import.meta.dirname, '../../main.ts');
const images = new URL('../../server/docs/images/', import.meta.url);
const desk = { viewport: { width: 1_440, height: 900 } };
const devices = {
  light: { ...desk, colorScheme: 'light' },
  dark: { ...desk, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'light' },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>;

type Kind = keyof typeof devices;

const both: readonly Kind[] = ['light', 'dark'];
const all: readonly Kind[] = ['light', 'dark', 'phone'];

interface Screen {
  readonly name: string;
  /** Below `/dashboard`. */
  readonly path: string;
  readonly kinds?: readonly Kind[];
  readonly act?: (page: Page) => Promise<unknown>;
}

interface Shot {
  readonly hub: SteadyHub;
  readonly cookie: string;
  readonly screen: Screen;
  readonly kind: Kind;
}

async function picture(browser: Browser, { hub, cookie, screen, kind }: Shot): Promise<Buffer> {
  const context = await browser.newContext({
    ...devices[kind],
    locale: 'en-GB',
    timezoneId: 'Europe/London',
  });
  if (cookie !== '') await context.addCookies(cookie.split('; ').map(toCookie));
  await hub.open(context);
  const page = await context.newPage();
  await page.goto(`${shownAddress}/dashboard${screen.path}`);
  // On phones the heading of the list behind a conversation is hidden.
  await page.locator('h1:visible').first().waitFor();
  await page.waitForLoadState('networkidle');
  await screen.act?.(page);
  // Menus, drawers and colours have come to rest.
  await page.waitForTimeout(700);
  const png = await page.screenshot({ caret: 'hide' });
  await context.close();
  return png;
}

function toCookie(pair: string) {
  const at = pair.indexOf('=');
  return { name: pair.slice(0, at), value: pair.slice(at + 1), url: shownAddress, secure: true };
}

function screensOf(data: DashboardData, show: (id: string) => string): readonly Screen[] {
  const own = `/w/${show(data.workspace)}`;
  const empty = `/w/${show(data.empty)}`;
  const documents = `${own}/knowledge/documents`;
  const document = `${documents}/${show(data.document)}`;
  const channel = (name: string) => `${own}/channels/${show(data.channels.get(name) ?? '')}`;
  const settings = `${own}/settings`;
  const bot = show(data.channels.get('Pottle helper') ?? '');
  const wizard = `${own}/channels/new/telegram`;
  const openChecks = (open: typeof progress.open) => async (page: Page) => {
    progress.open = open;
    await page.reload();
    await page.locator('[data-check]').first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(300);
    progress.open = [];
  };
  return [
    { name: 'home', path: `${own}/home`, kinds: all },
    { name: 'inbox', path: `${own}/inbox/${show(data.conversation)}`, kinds: all },
    { name: 'inbox-empty', path: `${empty}/inbox` },
    { name: 'documents', path: documents, kinds: all },
    {
      name: 'documents-selected',
      path: documents,
      act: async (page) => {
        const boxes = page.getByRole('row').getByRole('checkbox');
        for (const position of [2, 3, 5]) await boxes.nth(position).check();
      },
    },
    { name: 'documents-paste', path: `${documents}?add=text` },
    { name: 'documents-empty', path: `${empty}/knowledge/documents` },
    { name: 'document', path: document, kinds: both },
    { name: 'document-passages', path: `${document}?tab=passages` },
    { name: 'document-settings', path: `${document}?tab=settings` },
    { name: 'channels', path: `${own}/channels`, kinds: all },
    { name: 'channels-empty', path: `${empty}/channels` },
    { name: 'wizard-guide', path: `${wizard}?step=guide&name=Pottle+helper` },
    {
      name: 'wizard-check',
      path: `${wizard}?channel=${bot}&step=check`,
      act: openChecks(['message', 'answer']),
      kinds: both,
    },
    { name: 'channel', path: channel('Pottle helper'), kinds: both },
    { name: 'studio', path: `${channel('Shop chat')}/studio`, kinds: both, act: askWidget },
    { name: 'public-agent', path: `${own}/channels/public-agent` },
    { name: 'settings', path: settings },
    { name: 'settings-general', path: `${settings}/general` },
    { name: 'settings-answers', path: `${settings}/answers` },
    { name: 'settings-hours', path: `${settings}/hours` },
    { name: 'settings-keys', path: `${settings}/keys`, kinds: all },
    { name: 'settings-key-once', path: `${settings}/keys?new=1`, act: makeKey },
    { name: 'settings-webhooks', path: `${settings}/webhooks` },
    { name: 'settings-webhook', path: `${settings}/webhooks/${show(data.hook)}` },
    { name: 'settings-skills', path: `${settings}/skills` },
    { name: 'settings-snippets', path: `${settings}/snippets` },
    { name: 'settings-tags', path: `${settings}/tags` },
    { name: 'settings-identity', path: `${settings}/identity` },
    { name: 'settings-usage', path: `${settings}/usage`, kinds: both },
    { name: 'settings-danger', path: `${settings}/danger` },
    { name: 'people', path: `${settings}/people` },
    { name: 'audit', path: `${settings}/audit` },
    { name: 'me', path: '/me' },
    {
      name: 'command-menu',
      path: documents,
      kinds: both,
      act: async (page) => {
        await page.keyboard.press('Control+K');
        await page.keyboard.type('se');
      },
    },
    { name: 'keys-empty', path: `${empty}/settings/keys` },
    { name: 'snippets-empty', path: `${empty}/settings/snippets` },
  ];
}

async function makeKey(page: Page): Promise<void> {
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Order page');
  await form.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('region', { name: /ready/ }).waitFor();
}

/** Asks a question in the preview of the widget, which is open. The page beside it is another frame. */
async function askWidget(page: Page): Promise<void> {
  const frame = page.frameLocator('iframe[title$="As a widget"]:not([data-next])');
  await frame.locator('textarea').fill('Can I pause my Sprig Box?');
  await frame.locator('textarea').press('Enter');
  await frame.locator('.tools').last().waitFor();
}
