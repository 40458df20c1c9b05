import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { chromiumPath, openBrowser } from '../../../helpers/servers/browser/open-browser.ts';
import { runProduct } from '../../../helpers/servers/processes/run-product.ts';
import { testPassword } from '../../../helpers/servers/sign-in-person.ts';
import { emptyTestFolder } from '../../../helpers/stores/databases/test-data-folder.ts';

const mostSteps = 10;
const linkSchema = z.object({ link: z.string() });
const adminToken = 'a-token-for-the-tests-of-a-newcomers-walk-01234';

/** Counts what people do with a page: a click, a key that commands, or one entry of text is one step. */
function countSteps() {
  const steps: string[] = [];
  return {
    steps,
    press: async (page: Page, key: string) => {
      steps.push(`press ${key}`);
      await page.keyboard.press(key);
    },
    write: async (page: Page, text: string) => {
      steps.push(`write “${text}”`);
      await page.keyboard.type(text);
    },
  };
}

describe.skipIf(chromiumPath === undefined)(
  'a new installation in Chromium (skipped where it is not installed)',
  () => {
    test('an owner answers the first visitor of the demo page in ten steps, both sides counted', {
      timeout: 180_000,
    }, async () => {
      const product = await runProduct({ ADMIN_TOKEN: adminToken, DATA_DIR: emptyTestFolder() });
      const address = product.address.replace('127.0.0.1', 'localhost');
      const made = await fetch(`${address}/admin/v1/begin-link`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        body: '{}',
      });
      const { link } = linkSchema.parse(await made.json());
      const browser = await openBrowser();
      const owner = await (await browser.newContext()).newPage();
      await owner.goto(`${address}/dashboard/begin#${link.split('#')[1]}`);
      await owner.getByLabel('Your name').fill('Maya Reid', { timeout: 120_000 });
      await owner.getByLabel('E-mail').fill('maya@shop.example');
      await owner.getByLabel('Password', { exact: true }).fill(testPassword);
      await owner.getByRole('button', { name: 'Make the account' }).click();
      await owner.locator('[data-state="live"]').waitFor();
      await owner.keyboard.type('gi');
      await owner.getByRole('heading', { level: 1, name: /^Waiting for a person/ }).waitFor();
      const visitor = await (await browser.newContext()).newPage();
      await visitor.goto(`${address}/c/demo`);
      await visitor.locator('textarea:focus').waitFor();

      const { steps, press, write } = countSteps();
      const began = performance.now();
      await write(visitor, 'I want to talk to a human please');
      await press(visitor, 'Enter');
      await visitor.locator('.message.assistant:not(.greeting)').waitFor();
      await owner.getByRole('listbox').getByRole('option').first().waitFor();
      await press(owner, 'j');
      await owner
        .getByRole('log', { name: 'Messages' })
        .getByText('I want to talk to a human please')
        .waitFor();
      await press(owner, 'r');
      await owner.getByRole('textbox', { name: 'Reply', exact: true }).and(owner.locator(':focus')).waitFor();
      await write(owner, 'Maya here. How can I help?');
      await press(owner, 'Control+Enter');
      await visitor.locator('.message.agent', { hasText: 'Maya here. How can I help?' }).waitFor();
      const seconds = (performance.now() - began) / 1_000;
      process.stdout.write(
        `The first answer by a person took ${steps.length} steps and ${seconds.toFixed(1)} s.\n`,
      );
      expect(steps.length).toBeLessThanOrEqual(mostSteps);
      await browser.close();
      await product.end('SIGTERM');
    });
  },
);
