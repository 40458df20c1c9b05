import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The shell first: it begins in a fraction of the time, and has no windows to keep. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Where this machine has Chromium; undefined where it has none, and what needs it is skipped. */
export const chromiumPath = places.find((path) => existsSync(path));

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
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
