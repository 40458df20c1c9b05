import { mkdir, writeFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { z } from 'zod';
import { openBrowser } from '../helpers/servers/open-browser.ts';
import { toWebp } from './to-webp.ts';

/**
 * Takes pictures of the dashboard's screens, light, dark and on a phone, from a running installation with the demo's
 * documents: `npm run screenshots -- dashboard http://localhost:8080 ADMIN_TOKEN [FOLDER]`. It makes an owner for it, and
 * a workspace without documents. Into a folder it writes PNG.
 */
export async function takeDashboardPictures(args: readonly string[]): Promise<void> {
  const [hub, token, folder] = z.tuple([z.url(), z.string(), z.string().optional()]).parse(args.slice(0, 3));
  const browser = await openBrowser();
  const { workspace, empty, cookies } = await prepare(hub, token);
  const screens = await findScreens(hub, { token, workspace, empty });
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  for (const [kind, options] of Object.entries(devices)) {
    const context = await browser.newContext({ ...options, locale: 'en-GB' });
    await context.addCookies(cookies.map((cookie) => ({ ...cookie, url: hub })));
    for (const { name, path, act } of screens) {
      const page = await context.newPage();
      await page.goto(`${hub}/dashboard${path}`);
      await page.locator('h1').waitFor();
      await page.waitForLoadState('networkidle');
      await act?.(page);
      // Menus, drawers and colours have come to rest.
      await page.waitForTimeout(600);
      const png = await page.screenshot();
      const file = `dashboard-${name}-${kind}`;
      if (folder !== undefined) await writeFile(`${folder}/${file}.png`, png);
      else await writeFile(new URL(`${file}.webp`, images), await toWebp(browser, png));
      await page.close();
    }
    await context.close();
  }
  await browser.close();
}

const images = new URL('../../server/docs/images/', import.meta.url);
const desk = { viewport: { width: 1_440, height: 900 } };
const devices: Readonly<Record<string, BrowserContextOptions>> = {
  light: { ...desk, colorScheme: 'light' },
  dark: { ...desk, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'light' },
};

interface Screen {
  readonly name: string;
  /** Below `/dashboard`. */
  readonly path: string;
  readonly act?: (page: Page) => Promise<void>;
}

const documentsSchema = z.object({
  documents: z.array(z.object({ id: z.string(), title: z.string(), chunks: z.int() })),
});

interface Places {
  readonly token: string;
  readonly workspace: string;
  readonly empty: string;
}

async function findScreens(hub: string, { token, workspace, empty }: Places): Promise<readonly Screen[]> {
  const listed = await call(hub, token, `/workspaces/${workspace}/documents?limit=100`);
  const { documents } = documentsSchema.parse(await listed.json());
  const shown =
    documents.find(({ title }) => title === 'Returns and refunds') ??
    documents.find(({ chunks }) => chunks > 5) ??
    documents[0];
  const list = `/w/${workspace}/knowledge/documents`;
  return [
    { name: 'documents', path: list },
    {
      name: 'documents-selected',
      path: list,
      act: async (page) => {
        const boxes = page.getByRole('row').getByRole('checkbox');
        for (const position of [2, 3, 5]) await boxes.nth(position).check();
      },
    },
    { name: 'documents-paste', path: `${list}?add=text` },
    { name: 'documents-empty', path: `/w/${empty}/knowledge/documents` },
    { name: 'document', path: `${list}/${shown?.id}` },
    { name: 'document-passages', path: `${list}/${shown?.id}?tab=passages` },
    { name: 'document-settings', path: `${list}/${shown?.id}?tab=settings` },
  ];
}

const workspaceSchema = z.object({ id: z.string(), owner: z.string(), name: z.string() });
const password = 'lavender-teapot-42';

/** Brings the installation into the state of the pictures. */
async function prepare(hub: string, token: string) {
  const listed = await (await call(hub, token, '/workspaces')).json();
  const all = z.object({ workspaces: z.array(workspaceSchema) }).parse(listed).workspaces;
  const demo = workspaceSchema.parse(all.find(({ name }) => name === 'Pottle & Sprig') ?? all[0]);
  const created = await call(hub, token, '/workspaces', { name: 'Trade desk', owner: demo.owner });
  const empty =
    all.find(({ name }) => name === 'Trade desk') ??
    z
      .object({ workspace: workspaceSchema })
      .or(workspaceSchema)
      .parse(await created.json());
  await call(hub, token, `/workspaces/${demo.id}`, { settings: { audiences: ['Trade', 'Agents'] } }, 'PATCH');
  await addUnusual(hub, token, demo.id);
  return {
    workspace: demo.id,
    empty: 'workspace' in empty ? empty.workspace.id : empty.id,
    cookies: await signIn(hub, token, demo.id),
  };
}

/** A document for some readers only, and one that cannot be read. */
async function addUnusual(hub: string, token: string, workspace: string): Promise<void> {
  const path = `/workspaces/${workspace}/documents`;
  const wanted = {
    title: 'Trade price list',
    url: 'https://help.pottleandsprig.example/trade',
    content: '# Trade prices\n\nA box of six costs 84 euros.',
  };
  await call(hub, token, `${path}?wait=true`, {
    ...wanted,
    content_type: 'text/markdown',
    audience: ['Trade'],
  });
  const form = new FormData();
  form.append(
    'file',
    new Blob(['%PDF-1.4 broken'], { type: 'application/pdf' }),
    'Workshop wiring diagrams.pdf',
  );
  await fetch(`${hub}/admin/v1${path}/upload?wait=true`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
}

async function signIn(hub: string, token: string, workspace: string) {
  const email = 'maya@pottleandsprig.example';
  const invited = await call(hub, token, `/workspaces/${workspace}/invitations`, { email, role: 'owner' });
  const link = invited.ok ? z.looseObject({ link: z.url() }).parse(await invited.json()).link : null;
  if (link !== null) {
    const entry = { token: link.slice(link.indexOf('#') + 1), name: 'Maya Reid', password };
    await post(hub, '/dashboard/invitations/accept', entry);
  }
  const answer = await post(hub, '/dashboard/auth/sign-in/email', { email, password });
  return answer.headers.getSetCookie().map((header) => {
    const [pair = ''] = header.split(';', 1);
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1) };
  });
}

function post(hub: string, path: string, body: object): Promise<Response> {
  return fetch(hub + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: hub, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(body),
  });
}

function call(
  hub: string,
  token: string,
  path: string,
  body?: object,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Response> {
  return fetch(`${hub}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
