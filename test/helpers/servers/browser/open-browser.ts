import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The shell comes first, because it starts in a fraction of the time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The path of Chromium; undefined if this machine has none, and tests that need it are skipped. */
export const chromiumPath = places.find((path) => existsSync(path));

/** The shell and the whole browser, if this machine has them: they differ in caching. */
export const chromiumPaths = places.slice(0, 2).filter((path) => existsSync(path));

export function openBrowser(path = chromiumPath): Promise<Browser> {
  return chromium.launch({
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
}
