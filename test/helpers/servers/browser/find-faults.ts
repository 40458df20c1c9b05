import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { findBarriers } from './open-dashboard.ts';
import { waitForPaint } from './open-signed-in-page.ts';

interface FaultOptions {
  /** The widths of the window, in pixels. */
  readonly widths?: readonly number[];
  /** Rules of axe that the state of the page may break. */
  readonly except?: readonly string[];
  /** With PARLEY_SHOTS, both schemes are looked at in each width, and the folder gets a picture of each under this name. */
  readonly name?: string;
}

const violationsSchema = z.array(z.string()).nullish();

const schemes = ['light', 'dark'] as const;

/**
 * Looks at a page that is open on a wide screen in light and on a phone in dark: what depends on the width does not depend
 * on the colours, and a look takes a second of a busy machine. Returns violations of WCAG, breaches of the policy and
 * sideways scrolling, each with the state of the page. Changing an open page takes a tenth of the time of opening it again.
 */
export async function findFaults(
  page: Page,
  { widths = [1_440, 360], except = [], name }: FaultOptions = {},
): Promise<readonly string[]> {
  const faults: string[] = [];
  const { PARLEY_SHOTS: folder } = process.env;
  for (const [position, width] of widths.entries()) {
    await page.setViewportSize({ width, height: 900 });
    for (const [turn, colorScheme] of schemes.entries()) {
      if (folder === undefined && turn !== position % schemes.length) continue;
      await page.emulateMedia({ colorScheme });
      await waitForPaint(page);
      await page.locator('.p-skeleton').first().waitFor({ state: 'detached' });
      const place = `${colorScheme}, ${width} px`;
      if (folder !== undefined && name !== undefined) {
        await page.screenshot({
          path: join(folder, `${name.replaceAll(/\W+/g, '-')}-${colorScheme}-${width}.png`),
        });
      }
      const barriers = await findBarriers(page);
      const found = barriers.filter((barrier) => !except.some((rule) => barrier.startsWith(rule)));
      const wide = z.int().parse(await page.evaluate('document.documentElement.scrollWidth'));
      if (wide !== width) found.push(`the page is ${wide} px wide`);
      faults.push(...found.map((fault) => `${place}: ${fault}`));
    }
  }
  const violations = violationsSchema.parse(await page.evaluate('window.violations')) ?? [];
  return [...faults, ...violations];
}
