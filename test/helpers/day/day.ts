import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Dice } from './dice.ts';
import type { openDayServer } from './open-day-server.ts';

const timelineSchema = z.object({
  entries: z.array(
    z.looseObject({ message: z.object({ role: z.string(), content: z.string() }).optional() }),
  ),
  pagination: z.object({ next_cursor: z.string().nullable() }),
});
const headSchema = z.looseObject({ status: z.string() });

/** A change is on every open screen within this time, or the screen says that it is not live. Generous for busy machines. */
const shownMs = 15_000;
/** Visitors' pages have no line that says it, and look by themselves every 15 seconds. */
const visitorShownMs = 25_000;

interface Device {
  readonly person: string;
  readonly name: string;
  readonly context: BrowserContext;
  page: Page;
  isOffline: boolean;
}

interface DayOptions {
  readonly server: Awaited<ReturnType<typeof openDayServer>>;
  readonly browser: Browser;
  readonly dice: Dice;
}

/** A shop with two agents, one of them on two devices, and a visitor; and what they have done so far. */
export class Day {
  readonly #server: DayOptions['server'];
  readonly #browser: Browser;
  readonly #dice: Dice;
  readonly devices: Device[] = [];
  /** Every word that anybody typed, which is nowhere else. */
  readonly #typed = new Set<string>();
  readonly log: string[] = [];
  #list = '';
  #inbox = '';
  #others: readonly string[] = [];
  #path = '';
  #visitorContext: BrowserContext | undefined;
  #visitor: Page | null = null;
  #slug = '';

  constructor({ server, browser, dice }: DayOptions) {
    this.#server = server;
    this.#browser = browser;
    this.#dice = dice;
  }

  async begin(): Promise<void> {
    this.#slug = `day-${Math.abs(this.#dice.seed)}`;
    const { workspace, people, others } = await this.#server.setUp(this.#slug);
    this.#visitorContext = await this.#browser.newContext();
    const visitor = await this.#openVisitor();
    await visitor.locator('textarea[name=query]').fill('Is the red pump in stock?');
    await visitor.keyboard.press('Enter');
    await visitor.getByRole('button', { name: 'Talk to a person' }).first().click();
    const list = `/admin/v1/workspaces/${workspace}/conversations`;
    this.#list = list;
    this.#others = others;
    this.#inbox = `${this.#server.address}/dashboard/w/${workspace}/inbox?view=all`;
    const idOfFirst = async () => {
      const found = await this.#operate(`${list}?view=all&channel=hosted`);
      return z
        .object({ conversations: z.array(z.object({ id: z.string(), status: z.string() })) })
        .parse(found).conversations[0];
    };
    await expect.poll(async () => (await idOfFirst())?.status, { timeout: 30_000 }).toBe('escalated');
    const id = (await idOfFirst())?.id ?? '';
    this.#path = `${list}/${id}`;
    for (const [person, name] of [
      ['ann', 'desk'],
      ['ann', 'phone'],
      ['ben', 'desk'],
    ] as const) {
      const context = await this.#browser.newContext();
      const cookie = people.find((each) => each.name === person)?.cookie ?? '';
      await context.addCookies(
        cookie.split('; ').map((pair) => ({
          name: pair.slice(0, pair.indexOf('=')),
          value: pair.slice(pair.indexOf('=') + 1),
          url: this.#server.address,
        })),
      );
      await context.addInitScript("localStorage.setItem('parley-undo-send', '0')");
      const page = await context.newPage();
      const device = { person, name, context, page, isOffline: false };
      this.devices.push(device);
      await page.goto(`${this.#server.address}/dashboard/w/${workspace}/inbox/${id}`);
      // The first one waits until the dashboard is built.
      await page.getByRole('log', { name: 'Messages' }).waitFor({ timeout: 240_000 });
    }
  }

  async close(): Promise<void> {
    for (const { context } of this.devices) await context.close();
    await this.#visitorContext?.close();
  }

  /** One step of somebody, and then the questions to the database and every screen. */
  async step(): Promise<void> {
    const steps: readonly (readonly [weight: number, name: string, run: () => Promise<void>])[] = [
      [6, 'the visitor writes', () => this.#visitorWrites()],
      [6, 'an agent replies', () => this.#reply(this.#dice.pick(this.devices))],
      [5, 'an agent drafts a reply', () => this.#draft(this.#dice.pick(this.devices), 'Reply')],
      [3, 'an agent drafts a note', () => this.#draft(this.#dice.pick(this.devices), 'Note')],
      [3, 'an agent adds a note', () => this.#addNote(this.#dice.pick(this.devices))],
      [2, 'an agent resolves', () => this.#setStatus(this.#path, 'resolved')],
      [2, 'an agent resolves, and the visitor rates it', () => this.#rate()],
      [2, 'an agent presses E on several', () => this.#resolveAll(this.#dice.pick(this.devices))],
      [2, 'a device reloads', () => this.#reload(this.#dice.pick(this.devices))],
      [2, 'the visitor leaves, and nothing happens for long', () => this.#visitorLeaves()],
      [2, 'nothing happens for long', async () => void (await this.#server.pass(31_000))],
      [2, 'a device loses its network', () => this.#cut(this.#dice.pick(this.devices))],
      [1, 'the server restarts', () => this.#restart('SIGTERM')],
      [1, 'the server is killed', () => this.#restart('SIGKILL')],
    ];
    const total = steps.reduce((sum, [weight]) => sum + weight, 0);
    let at = this.#dice.below(total);
    const chosen = steps.find(([weight]) => {
      at -= weight;
      return at < 0;
    });
    const [, name, run] = chosen ?? steps[0] ?? expect.unreachable();
    this.log.push(name);
    await run();
    await this.check();
  }

  /** Nothing that was typed is lost, nothing was sent twice, and every screen is current or says that it is not. */
  async check(): Promise<void> {
    const problems = async () => {
      const { everything, said } = await this.#readDatabase();
      const shown = await Promise.all(this.devices.map((device) => this.#readScreen(device)));
      const places = [everything, ...shown].join('\n');
      const lost = [...this.#typed].filter((word) => !places.includes(word));
      const twice = [...this.#typed].filter(
        (word) => said.filter(({ content }) => content.includes(word)).length > 1,
      );
      return { lost, twice };
    };
    await expect.poll(problems, { timeout: shownMs }).toEqual({ lost: [], twice: [] });
    const { said } = await this.#readDatabase();
    const newest = said.find(({ role }) => role !== 'assistant');
    const words = newest?.content.split(/\s+/).filter((word) => this.#typed.has(word)) ?? [];
    for (const { page, person, name } of this.devices) {
      const isCurrentOrSaysNot = async () => {
        const state = await page.locator('.p-live-state').getAttribute('data-state');
        const text = await page.getByRole('log', { name: 'Messages' }).innerText();
        return state === 'live' && !words.every((word) => text.includes(word)) ? `${person}’s ${name}` : null;
      };
      await expect
        .poll(isCurrentOrSaysNot, { message: 'live, and not current', timeout: shownMs })
        .toBe(null);
    }
    const visitor = this.#visitor;
    if (visitor === null || newest?.role !== 'agent') return;
    const text = () => visitor.locator('body').innerText();
    for (const word of words) {
      await expect.poll(text, { message: 'visitor', timeout: visitorShownMs }).toContain(word);
    }
  }

  #word(kind: string): string {
    const word = `${kind}${this.#typed.size + 1}x`;
    this.#typed.add(word);
    this.log.push(`${this.log.pop()}, ${word}`);
    return word;
  }

  async #visitorWrites(): Promise<void> {
    const page = this.#visitor ?? (await this.#openVisitor());
    const word = this.#word('visitor');
    await page.locator('textarea[name=query]').fill(word);
    await page.keyboard.press('Enter');
    await this.#isStored(word);
  }

  async #visitorLeaves(): Promise<void> {
    await this.#visitor?.close();
    this.#visitor = null;
    // The half minute begins when the server notices that the page is gone.
    await this.#server.pass(1_000);
    const isHeard = async () => {
      await this.#server.pass(1_000);
      const response = await fetch(`${this.#server.address}/metrics`, { headers: this.#operator() });
      return (await response.text()).includes('channel="visitor_news"');
    };
    await expect.poll(isHeard, { interval: 10, timeout: shownMs }).toBe(false);
  }

  async #openVisitor(): Promise<Page> {
    const page = await (this.#visitorContext ?? expect.unreachable()).newPage();
    await page.goto(`${this.#server.address}/c/${this.#slug}`);
    await page.locator('textarea[name=query]').waitFor();
    this.#visitor = page;
    return page;
  }

  /** Goes on with what stands in the field. */
  async #type(device: Device, kind: 'Reply' | 'Note'): Promise<string> {
    const { page, person, name } = device;
    this.log.push(`${this.log.pop()} (${person}’s ${name})`);
    const tab = page.locator('.p-composer-tabs').getByRole('button', { name: kind });
    await tab.click();
    const field = page.getByRole('textbox', { name: kind, exact: true });
    await field.press('Control+End');
    const word = this.#word(kind.toLowerCase());
    await field.pressSequentially(` ${word}`);
    return word;
  }

  async #draft(device: Device, kind: 'Reply' | 'Note'): Promise<void> {
    await this.#type(device, kind);
    await device.page.getByText('Saved', { exact: true }).waitFor();
  }

  async #reply(device: Device): Promise<void> {
    const word = await this.#type(device, 'Reply');
    const { page } = device;
    await page.keyboard.press('Control+Enter');
    const isAnswered = async () => {
      const { said } = await this.#readDatabase();
      if (said.some(({ content }) => content.includes(word))) return true;
      for (const name of ['Take over and send', 'Send it as it is']) {
        const button = page.getByRole('button', { name });
        if (await button.isVisible()) await button.click();
      }
      return false;
    };
    await expect.poll(isAnswered, { message: `${word} is sent`, timeout: shownMs * 2 }).toBe(true);
  }

  async #addNote(device: Device): Promise<void> {
    const word = await this.#type(device, 'Note');
    await device.page.keyboard.press('Control+Enter');
    await this.#isStored(word);
  }

  async #setStatus(path: string, status: string): Promise<void> {
    const [device] = this.devices;
    const changed = await device?.context.request.patch(`${this.#server.address}${path}`, {
      data: { status },
      headers: { origin: this.#server.address },
    });
    expect(changed?.status()).toBe(200);
  }

  async #rate(): Promise<void> {
    await this.#setStatus(this.#path, 'resolved');
    const rated = `rating${this.#typed.size + 1}x`;
    const answer = await this.#visitorContext?.request.post(
      `${this.#server.address}/c/${this.#slug}/rating`,
      {
        data: { score: 1, comment: rated },
        headers: { origin: this.#server.address },
      },
    );
    // It was not asked for if no agent had replied since the last one.
    if (answer?.status() === 204) this.#typed.add(rated);
    await this.#setStatus(this.#path, 'claimed');
    await this.#setStatus(this.#path, 'resolved');
  }

  /** The first of the list is resolved already. */
  async #resolveAll({ context }: Device): Promise<void> {
    const paths = [this.#path, ...this.#others.map((id) => `${this.#list}/${id}`)];
    await this.#setStatus(this.#path, 'resolved');
    await this.#setStatus(paths.at(-1) ?? '', 'escalated');
    const page = await context.newPage();
    await page.goto(this.#inbox);
    const rows = page.getByRole('listbox').getByRole('option');
    await expect.poll(() => rows.count(), { timeout: shownMs }).toBe(paths.length);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('e');
    const statuses = () =>
      Promise.all(
        paths.map(async (path) => {
          const response = await context.request.get(`${this.#server.address}${path}`);
          return headSchema.parse(await response.json()).status;
        }),
      );
    await expect
      .poll(statuses, { message: 'all are resolved', timeout: shownMs })
      .toEqual(paths.map(() => 'resolved'));
    await page.close();
  }

  async #reload({ page }: Device): Promise<void> {
    await page.reload();
    await page.getByRole('log', { name: 'Messages' }).waitFor();
  }

  /** A change while the device has no network is on its screen once it is back. */
  async #cut(device: Device): Promise<void> {
    await device.context.setOffline(true);
    await expect.poll(() => device.page.locator('.p-live-state').getAttribute('data-state')).not.toBe('live');
    await this.#visitorWrites();
    await device.context.setOffline(false);
    await device.page.locator('.p-live-state[data-state="live"]').waitFor();
  }

  async #restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#server.end(signal);
    await this.#server.restart();
    for (const { page } of this.devices) await page.locator('.p-live-state[data-state="live"]').waitFor();
  }

  async #isStored(word: string): Promise<void> {
    await expect
      .poll(async () => (await this.#readDatabase()).everything, { message: word, timeout: shownMs })
      .toContain(word);
  }

  /** All messages and notes, newest first, and the ratings and drafts as both persons see them. */
  async #readDatabase() {
    const entries: z.output<typeof timelineSchema>['entries'] = [];
    let cursor = '';
    do {
      const page = timelineSchema.parse(await this.#operate(`${this.#path}/messages?limit=50${cursor}`));
      entries.push(...page.entries);
      cursor = page.pagination.next_cursor === null ? '' : `&cursor=${page.pagination.next_cursor}`;
    } while (cursor !== '');
    const heads = await Promise.all(
      [this.devices[0], this.devices[2]].map(async (device) => {
        if (device === undefined) return null;
        const response = await device.context.request.get(`${this.#server.address}${this.#path}`);
        const { earlier: _, ...head } = headSchema.parse(await response.json());
        return head;
      }),
    );
    return {
      everything: JSON.stringify([entries, heads]),
      said: entries.flatMap(({ message }) => (message === undefined ? [] : [message])),
    };
  }

  /** What stands in the fields of a screen and what it is sending. */
  async #readScreen({ page }: Device): Promise<string> {
    const fields = page.locator('textarea');
    const texts = await fields.evaluateAll((all) => all.map((one) => String(Reflect.get(one, 'value'))));
    return [...texts, ...(await page.locator('[data-outgoing]').allInnerTexts())].join('\n');
  }

  async #operate(path: string): Promise<unknown> {
    const response = await fetch(`${this.#server.address}${path}`, { headers: this.#operator() });
    return response.json();
  }

  #operator() {
    return { authorization: `Bearer ${this.#server.adminToken}` };
  }
}
