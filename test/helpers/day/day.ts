import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Dice } from './dice.ts';
import type { openDayServer } from './open-day-server.ts';
import { type Device, Shop } from './shop.ts';

/**
 * A change is on every open screen within this time, or the screen says that it is not live. The time allows for busy
 * machines.
 */
const shownMs = 15_000;
/** Visitors' pages show no such state, and poll every 15 seconds. */
const visitorShownMs = 25_000;
const quietMs = 31_000;
/** A connection is back within this time. A restarted server is slow at first, and slower on a busy machine. */
const backMs = 90_000;

type Kind = 'Reply' | 'Note';
type Step = readonly [weight: number, name: string, run: () => Promise<void>];

interface DayOptions {
  readonly server: Awaited<ReturnType<typeof openDayServer>>;
  readonly browser: Browser;
  readonly dice: Dice;
}

/** A day in a shop, with the record of everything written in it. */
export class Day {
  readonly #shop: Shop;
  readonly #dice: Dice;
  /** Every word that anybody typed. No word occurs twice. */
  readonly #typed = new Set<string>();
  /** The last words of what was sent. */
  readonly #sent = new Set<string>();
  readonly log: string[] = [];
  #words = 0;

  constructor({ server, browser, dice }: DayOptions) {
    this.#shop = new Shop({ server, browser, slug: `day-${Math.abs(dice.seed)}` });
    this.#dice = dice;
  }

  begin(): Promise<void> {
    return this.#shop.open();
  }

  /** Runs one step of a person, and then checks the database and every screen. */
  async step(): Promise<void> {
    const anyone = () => this.#dice.pick(this.#shop.devices);
    const { path, server } = this.#shop;
    const steps: readonly Step[] = [
      [6, 'the visitor writes', () => this.#visitorWrites()],
      [6, 'an agent replies', () => this.#reply(anyone())],
      [5, 'an agent drafts a reply', () => this.#draft(anyone(), 'Reply')],
      [3, 'an agent drafts a note', () => this.#draft(anyone(), 'Note')],
      [4, 'an agent writes on two devices at once', () => this.#writeOnTwo()],
      [3, 'an agent adds a note', () => this.#addNote(anyone())],
      [2, 'an agent takes a reply back', () => this.#undo(anyone())],
      [2, 'an agent reloads before a reply is sent', () => this.#replyAndReload(anyone())],
      [2, 'an agent resolves', () => this.#shop.change(path, { status: 'resolved' })],
      [1, 'an agent snoozes', () => this.#snooze()],
      [2, 'an agent resolves, and the visitor rates it', () => this.#rate()],
      [2, 'an agent presses E on several', () => this.#resolveAll(anyone())],
      [2, 'a device reloads', () => this.#reload(anyone())],
      [2, 'the visitor leaves, and nothing happens for long', () => this.#visitorLeaves()],
      [2, 'nothing happens for long', () => server.pass(quietMs)],
      [2, 'a device loses its network', () => this.#cut(anyone())],
      [1, 'the server restarts', () => this.#restart('SIGTERM')],
      [1, 'the server is killed', () => this.#restart('SIGKILL')],
    ];
    let at = this.#dice.below(steps.reduce((sum, [weight]) => sum + weight, 0));
    const chosen = steps.find(([weight]) => {
      at -= weight;
      return at < 0;
    });
    const [, name, run] = chosen ?? expect.unreachable();
    this.log.push(name);
    try {
      await run();
      await this.check();
    } catch (error) {
      // Chromium has lost a page: that is no fault of the product, and nothing may be lost through it.
      const crashed = await this.#shop.reopenCrashed();
      if (crashed === 0) throw error;
      this.#note(`${crashed} pages crashed`);
      await this.check();
    }
  }

  /** Ends the day: every page is opened again, and every typed word is on the server. */
  async end(): Promise<void> {
    this.log.push('everybody reloads');
    for (const device of this.#shop.devices) await this.#reload(device);
    await this.check();
    const lost = async () => {
      const { everything } = await this.#shop.readDatabase();
      return [...this.#typed].filter((word) => !everything.includes(word));
    };
    await expect.poll(lost, { message: 'not on the server', timeout: shownMs }).toEqual([]);
  }

  /** Checks that no typed word is lost or sent twice, and that every screen is current or says that it is not. */
  async check(): Promise<void> {
    const { devices } = this.#shop;
    const problems = async () => {
      const { everything, entries } = await this.#shop.readDatabase();
      const shown = await Promise.all(devices.map((device) => this.#shop.readScreen(device)));
      const places = [everything, ...shown].join('\n');
      const said = entries.map((entry) => JSON.stringify(entry));
      return {
        lost: [...this.#typed].filter((word) => !places.includes(word)),
        twice: [...this.#sent].filter((word) => said.filter((text) => text.includes(word)).length > 1),
      };
    };
    await expect.poll(problems, { timeout: shownMs }).toEqual({ lost: [], twice: [] });
    const { entries } = await this.#shop.readDatabase();
    const newest = entries.flatMap(({ message }) => message ?? []).find(({ role }) => role !== 'assistant');
    const words = newest?.content.split(/\s+/).filter((word) => this.#typed.has(word)) ?? [];
    const late = async () => {
      const states = await Promise.all(
        devices.map(async ({ page, person, name }) => {
          const state = await page.locator('.p-live-state').getAttribute('data-state');
          const text = await page.getByRole('log', { name: 'Messages' }).innerText();
          const isCurrent = state !== 'live' || words.every((word) => text.includes(word));
          return isCurrent ? [] : [`${person}’s ${name} ends with ${text.slice(-200)}`];
        }),
      );
      return states.flat();
    };
    const message = `live, and without ${words.join(' ')}`;
    await expect.poll(late, { message, timeout: shownMs }).toEqual([]);
    const { visitor } = this.#shop;
    if (visitor === null || newest?.role !== 'agent') return;
    const text = () => visitor.locator('body').innerText();
    for (const word of words) {
      await expect.poll(text, { message: 'visitor', timeout: visitorShownMs }).toContain(word);
    }
  }

  #note(more: string): void {
    this.log.push(`${this.log.pop()}, ${more}`);
  }

  #word(kind: string): string {
    this.#words += 1;
    const word = `${kind}${this.#words}x`;
    this.#note(word);
    return word;
  }

  async #visitorWrites(): Promise<void> {
    const page = this.#shop.visitor ?? (await this.#shop.openVisitor());
    const word = this.#word('visitor');
    const field = page.locator('textarea[name=query]');
    await field.fill(word);
    this.#typed.add(word);
    this.#sent.add(word);
    // Before the script of the page runs, Enter begins a new line.
    const isTaken = async () => {
      if ((await field.inputValue()).includes(word)) await field.press('Enter');
      return (await field.inputValue()) === '';
    };
    await expect.poll(isTaken, { message: `${word} is taken`, timeout: shownMs }).toBe(true);
    await this.#isStored(word);
  }

  async #visitorLeaves(): Promise<void> {
    await this.#shop.visitor?.close();
    this.#shop.visitor = null;
    // The half minute begins when the server notices that the page is gone.
    const isHeard = async () => {
      await this.#shop.server.pass(1_000);
      return (await this.#shop.readMetrics()).includes('channel="visitor_news"');
    };
    await expect.poll(isHeard, { interval: 10, timeout: shownMs }).toBe(false);
  }

  /** Continues with the text in the field. */
  async #type({ page, person, name }: Device, kind: Kind): Promise<string> {
    this.#note(`${person}’s ${name}`);
    const word = this.#word(kind.toLowerCase());
    await page.locator('.p-composer-tabs').getByRole('button', { name: kind }).click();
    const field = page.getByRole('textbox', { name: kind, exact: true });
    await field.press('Control+End');
    await field.pressSequentially(` ${word}`);
    this.#typed.add(word);
    return word;
  }

  async #draft(device: Device, kind: Kind): Promise<void> {
    await this.#type(device, kind);
    await device.page.getByText('Saved', { exact: true }).waitFor();
  }

  /** Neither device knows the text of the other one. */
  async #writeOnTwo(): Promise<void> {
    const [desk, phone] = this.#shop.devices;
    if (desk === undefined || phone === undefined) return;
    const kind = this.#dice.pick(['Reply', 'Reply', 'Note'] as const);
    const offline = this.#dice.pick([desk, phone, null]);
    await offline?.context.setOffline(true);
    await this.#type(desk, kind);
    await this.#type(phone, kind);
    await offline?.context.setOffline(false);
    // The order in which the two are saved is open: both are saved, or a failure is shown.
    const states = async () =>
      Promise.all([desk, phone].map(({ page }) => page.getByText('Saved', { exact: true }).count()));
    await expect.poll(states, { message: 'both are saved', timeout: shownMs }).toEqual([1, 1]);
  }

  async #reply(device: Device): Promise<void> {
    const word = await this.#type(device, 'Reply');
    await this.#send(device, word);
    await this.#isStored(word);
  }

  /** Presses until it has left the composer. */
  async #send({ page }: Device, word: string): Promise<void> {
    await page.keyboard.press('Control+Enter');
    const isLeaving = async () => {
      const outgoing = await page.locator('[data-outgoing]').allInnerTexts();
      if (outgoing.some((text) => text.includes(word))) return true;
      const { entries } = await this.#shop.readDatabase();
      if (entries.some(({ message }) => message?.content.includes(word))) return true;
      for (const name of ['Take over and send', 'Send it as it is']) {
        const button = page.getByRole('button', { name });
        if (await button.isVisible()) await button.click();
      }
      return false;
    };
    await expect.poll(isLeaving, { message: `${word} is sent`, timeout: shownMs * 2 }).toBe(true);
    this.#sent.add(word);
  }

  async #addNote(device: Device): Promise<void> {
    const word = await this.#type(device, 'Note');
    await device.page.keyboard.press('Control+Enter');
    this.#sent.add(word);
    await this.#isStored(word);
  }

  async #sendLater(device: Device): Promise<string> {
    const word = await this.#type(device, 'Reply');
    const wait = (seconds: number) =>
      device.page.evaluate((value) => localStorage.setItem('parley-undo-send', value), String(seconds));
    await wait(10);
    await this.#send(device, word);
    await wait(0);
    return word;
  }

  async #undo(device: Device): Promise<void> {
    const word = await this.#sendLater(device);
    const undo = device.page.locator('[data-outgoing]').getByRole('button', { name: 'Undo' });
    // A message that is sent although newer ones exist offers no undo.
    if (!(await undo.isVisible())) return this.#isStored(word);
    await undo.click();
    this.#sent.delete(word);
    const field = device.page.getByRole('textbox', { name: 'Reply', exact: true });
    await expect.poll(() => field.inputValue(), { timeout: shownMs }).toContain(word);
  }

  /** The word is sent, or it is a draft. */
  async #replyAndReload(device: Device): Promise<void> {
    const word = await this.#sendLater(device);
    await this.#reload(device);
    await this.#isStored(word);
  }

  #snooze(): Promise<void> {
    const until = new Date(this.#shop.server.now() + quietMs).toISOString();
    return this.#shop.change(this.#shop.path, { status: 'snoozed', snooze_until: until });
  }

  async #rate(): Promise<void> {
    const { path } = this.#shop;
    await this.#shop.change(path, { status: 'resolved' });
    const comment = this.#word('rating');
    // No rating was requested if no agent had replied since the last one.
    if (await this.#shop.rate(comment)) this.#typed.add(comment);
    await this.#shop.change(path, { status: 'claimed' });
    await this.#shop.change(path, { status: 'resolved' });
  }

  /** The first of the list is resolved already. */
  async #resolveAll(device: Device): Promise<void> {
    const paths = [this.#shop.path, ...this.#shop.otherPaths];
    await this.#shop.change(this.#shop.path, { status: 'resolved' });
    await this.#shop.change(paths.at(-1) ?? '', { status: 'escalated' });
    const page = await this.#shop.openInbox(device);
    const rows = page.getByRole('listbox').getByRole('option');
    await expect.poll(() => rows.count(), { timeout: shownMs }).toBe(paths.length);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('e');
    const statuses = () => Promise.all(paths.map((path) => this.#shop.readStatus(device, path)));
    const resolved = paths.map(() => 'resolved');
    await expect.poll(statuses, { message: 'all are resolved', timeout: shownMs }).toEqual(resolved);
    await page.close();
  }

  async #reload({ page }: Device): Promise<void> {
    await page.reload();
    await page.getByRole('log', { name: 'Messages' }).waitFor();
  }

  /** A change while the device has no network is on its screen once it is back. */
  async #cut({ context, page, person, name }: Device): Promise<void> {
    this.#note(`${person}’s ${name}`);
    await context.setOffline(true);
    await expect.poll(() => page.locator('.p-live-state').getAttribute('data-state')).not.toBe('live');
    await this.#visitorWrites();
    await context.setOffline(false);
    await this.#isLive(page);
  }

  async #restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { server, devices } = this.#shop;
    await server.end(signal);
    await server.restart();
    for (const { page } of devices) await this.#isLive(page);
  }

  #isLive(page: Page): Promise<void> {
    return page.locator('.p-live-state[data-state="live"]').waitFor({ timeout: backMs });
  }

  async #isStored(word: string): Promise<void> {
    const read = async () => (await this.#shop.readDatabase()).everything;
    await expect.poll(read, { message: word, timeout: shownMs }).toContain(word);
  }
}
