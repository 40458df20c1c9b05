import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../../helpers/servers/browser/open-dashboard.ts';
import { waitForPaint } from '../../../../../helpers/servers/browser/open-signed-in-page.ts';
import { signInPerson } from '../../../../../helpers/servers/sign-in-person.ts';
import { stageInbox } from '../../../../../helpers/stores/inbox/stage-inbox.ts';

const viewport = { width: 360, height: 740 };

describe.skipIf(chromiumPath === undefined)(
  'swipes on a phone in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const shop = await board.makeWorkspace({ name: 'Pottle & Sprig' });
    const [id = ''] = await stageInbox({ database: board.runtime.database.kysely, workspaceId: shop.id }, [
      { name: 'Ann Lee', text: 'A person please.' },
    ]);
    const person = await signInPerson(board, {
      email: 'ann@shop.example',
      role: 'agent',
      ownerId: shop.owner,
    });
    const inbox = `/w/${shop.id}/inbox`;

    const open = async (path: string, context: object = { hasTouch: true, isMobile: true }) => {
      const opened = await board.visit(path, { cookie: person.cookie, context: { viewport, ...context } });
      await waitForPaint(opened.page);
      return opened;
    };
    /** Moves a finger over the middle of an element. */
    const swipe = async (page: Page, selector: string, [across, down]: readonly [number, number]) => {
      const box = await page.locator(selector).first().boundingBox();
      if (box === null) throw new RangeError(`${selector} is not shown`);
      const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 300)];
      const cdp = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', step: number) =>
        cdp.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x: x + (across * step) / 8, y: y + (down * step) / 8 }],
        });
      await touch('touchStart', 0);
      for (let step = 1; step <= 8; step += 1) await touch('touchMove', step);
      await touch('touchEnd', 8);
      await cdp.detach();
    };
    const placeOf = (page: Page) => new URL(page.url()).pathname.replace(`/dashboard${inbox}`, '');

    test('lead from a row to its conversation, to the details, and all the way back', async () => {
      const { page, own, complaints } = await open(inbox);
      await page.getByRole('option').first().waitFor();
      await swipe(page, `[data-row="${id}"]`, [-120, 4]);
      await page.getByRole('log', { name: 'Messages' }).waitFor();
      expect(placeOf(page)).toBe(`/${id}`);
      await swipe(page, '.p-log', [-120, -6]);
      const details = page.getByRole('dialog', { name: 'Details' });
      await details.getByText('Handling').waitFor();
      await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0);
      await swipe(page, '[role="dialog"] .p-details', [120, 0]);
      await details.waitFor({ state: 'detached' });
      expect(placeOf(page)).toBe(`/${id}`);
      await swipe(page, '.p-log', [120, 0]);
      await page.getByRole('log', { name: 'Messages' }).waitFor({ state: 'detached' });
      expect(placeOf(page)).toBe('');
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('do nothing if they are short, go up or down, or begin in the field of the reply', async () => {
      const { page, own } = await open(`${inbox}/${id}`);
      await page.getByRole('log', { name: 'Messages' }).waitFor();
      await swipe(page, '.p-log', [40, 0]);
      await swipe(page, '.p-log', [70, 200]);
      await swipe(page, '.p-composer textarea', [120, 0]);
      expect(
        await page.locator('.p-talk-main').evaluate((main) => Reflect.get(main, 'style').translate),
      ).toBe('');
      expect(placeOf(page)).toBe(`/${id}`);
      // The first that counts is the first that leads anywhere.
      await swipe(page, '.p-log', [120, 0]);
      await page.getByRole('option').first().waitFor();
      expect(placeOf(page)).toBe('');
      await own.close();
    });

    test('are left to the mouse on a narrow window', async () => {
      const { page, own } = await open(`${inbox}/${id}`, {});
      const box = await page.getByRole('log', { name: 'Messages' }).boundingBox();
      await page.mouse.move(40, (box?.y ?? 0) + 60);
      await page.mouse.down();
      await page.mouse.move(240, (box?.y ?? 0) + 60, { steps: 8 });
      await page.mouse.up();
      await waitForPaint(page);
      expect(placeOf(page)).toBe(`/${id}`);
      await own.close();
    });
  },
);
