import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { useBundler } from '../../../../server/pages/bundler.ts';
import { chromiumPath, openBrowser } from '../../../helpers/servers/browser/open-browser.ts';
import { askOn } from '../../../helpers/servers/browser/open-visits.ts';
import { openWidgetServer } from '../../../helpers/servers/open-widget-server.ts';

const examples = resolve(import.meta.dirname, '../../../../server/docs/examples');

/** A shop that signs its visitors in and has a button of its own for the chat. React runs each effect twice in it. */
const shopPage = `
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ParleyWidget } from './widget-react/parley-widget.tsx';

function Shop({ proof, ...given }) {
  const [isOpen, setOpen] = useState(false);
  const [verificationToken, setToken] = useState(null);
  return (
    <>
      <button type="button" onClick={() => setToken(proof)}>Sign in</button>
      <button type="button" onClick={() => setToken(null)}>Sign out</button>
      <button type="button" onClick={() => setOpen(!isOpen)}>{isOpen ? 'Hide the chat' : 'Ask us'}</button>
      <ParleyWidget {...given} isOpen={isOpen} onOpenChange={setOpen} verificationToken={verificationToken} />
    </>
  );
}

const given = JSON.parse(document.getElementById('given').textContent);
createRoot(document.getElementById('app')).render(<StrictMode><Shop {...given} /></StrictMode>);
`;

describe.skipIf(chromiumPath === undefined)('the widget in React (skipped without Chromium)', async () => {
  if (chromiumPath === undefined) return;
  const server = await openWidgetServer();
  const browser = await openBrowser();
  afterAll(() => browser.close());
  const { outputFiles } = await useBundler(({ build }) =>
    build({
      stdin: { contents: shopPage, resolveDir: examples, loader: 'tsx', sourcefile: 'shop.tsx' },
      ...{ bundle: true, format: 'esm', write: false, jsx: 'automatic' },
    }),
  );
  const script = outputFiles[0]?.text ?? '';

  async function visit() {
    const shop = await server.openShop();
    const proof = await new SignJWT({ name: 'Grace' })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('customer-7')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(shop.identitySecret));
    const given = JSON.stringify({ address: server.address, token: shop.publicToken, proof });
    const page = await browser.newPage({ viewport: { width: 1_200, height: 800 } });
    const complaints: string[] = [];
    page.on('pageerror', (error) => void complaints.push(error.message));
    const site = createServer(({ url }, response) => {
      if (url === '/shop.js') response.setHeader('content-type', 'text/javascript').end(script);
      else
        response
          .setHeader('content-type', 'text/html')
          .end(`<!doctype html><html lang="en"><title>Shop</title><div id="app"></div>
<script type="application/json" id="given">${given}</script><script type="module" src="/shop.js"></script>`);
    });
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void site.close().closeAllConnections());
    const address = site.address();
    await page.goto(`http://localhost:${typeof address === 'object' ? address?.port : ''}`);
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    /** Returns what the server stored of the visitors of the shop. */
    const visitors = async () =>
      (
        await server.runtime.database.kysely
          .selectFrom('conversation')
          .select('customer_user_id')
          .where('workspace_id', '=', shop.id)
          .orderBy('id')
          .execute()
      ).map((row) => row.customer_user_id);
    return { page, complaints, press, visitors };
  }

  test('loads once, and the page and the visitor open and close it', async () => {
    const { page, complaints, press } = await visit();
    await press('Ask us');
    await page.locator('textarea').waitFor();
    await page.locator('.panel .close').click();
    await press('Ask us');
    await page.locator('textarea').waitFor();
    await press('Hide the chat');
    await page.locator('textarea').waitFor({ state: 'hidden' });
    await page.locator('.launcher').click();
    await page.getByRole('button', { name: 'Hide the chat' }).waitFor();
    expect(await page.locator('parley-widget').count()).toBe(1);
    expect(await page.locator('script[src$="/widget.js"]').count()).toBe(1);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('tells Parley who the visitor is, and that they signed out', async () => {
    const { page, complaints, press, visitors } = await visit();
    await press('Sign in');
    await press('Ask us');
    await askOn(page, 'When do parcels arrive?');
    await page.locator('.message.user').waitFor();
    await expect.poll(visitors).toEqual(['customer-7']);
    await press('Sign out');
    await page.locator('.message.user').waitFor({ state: 'detached' });
    await askOn(page, 'Can orders be changed?');
    await expect.poll(visitors).toEqual(['customer-7', null]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
