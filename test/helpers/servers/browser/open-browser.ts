import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The shell comes first, because it starts in a fraction of the time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** An event ends each wait: this limit ends one that would last for ever, also on a busy machine. */
const patienceMs = 60_000;

/** The path of Chromium; undefined if this machine has none, and tests that need it are skipped. */
export const chromiumPath = places.find((path) => existsSync(path));

/** The shell and the whole browser, if this machine has them: they differ in caching. */
export const chromiumPaths = places.slice(0, 2).filter((path) => existsSync(path));

export async function openBrowser(path = chromiumPath): Promise<Browser> {
  const browser = await chromium.launch({
    ...(path !== undefined && { executablePath: path }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs));
  return browser;
}
