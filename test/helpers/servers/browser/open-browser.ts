import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The shell first: it starts in a fraction of the time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Where this machine has Chromium; undefined where it has none, and what needs it is skipped. */
export const chromiumPath = places.find((path) => existsSync(path));

/** The shell and the whole browser, as far as this machine has them: they differ in what they cache. */
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
