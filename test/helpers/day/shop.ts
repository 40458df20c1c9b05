import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { z } from 'zod';
import type { openDayServer } from './open-day-server.ts';

const entrySchema = z.looseObject({
  message: z.object({ role: z.string(), content: z.string() }).optional(),
});
const timelineSchema = z.object({
  entries: z.array(entrySchema),
  pagination: z.object({ next_cursor: z.string().nullable() }),
});
const headSchema = z.looseObject({ status: z.string() });
const listSchema = z.object({ conversations: z.array(z.object({ id: z.string(), status: z.string() })) });

export interface Device {
  readonly person: string;
  readonly name: string;
  readonly context: BrowserContext;
  page: Page;
  hasCrashed: boolean;
}

interface ShopOptions {
  readonly server: Awaited<ReturnType<typeof openDayServer>>;
  readonly browser: Browser;
  readonly slug: string;
}

/**
 * A shop with two agents, one of them on two devices, and a visitor: the places where they write, and where it can be
 * read.
 */
export class Shop {
  readonly server: ShopOptions['server'];
  readonly #browser: Browser;
  readonly #slug: string;
  readonly devices: Device[] = [];
  visitor: Page | null = null;
  #visitorContext: BrowserContext | undefined;
  #list = '';
  /** The path of the conversation with the visitor. */
  path = '';
  /** The paths of conversations with others. */
  otherPaths: readonly string[] = [];
  #inbox = '';
  #address = '';

  constructor({ server, browser, slug }: ShopOptions) {
    this.server = server;
    this.#browser = browser;
    this.#slug = slug;
  }

  async open(): Promise<void> {
    const { workspace, people, others } = await this.server.setUp(this.#slug);
    this.#visitorContext = await this.#browser.newContext();
    const visitor = await this.openVisitor();
    await visitor.locator('textarea[name=query]').fill('Is the red pump in stock?');
    await visitor.keyboard.press('Enter');
    await visitor.getByRole('button', { name: 'Talk to a person' }).first().click();
    this.#list = `/admin/v1/workspaces/${workspace}/conversations`;
    this.otherPaths = others.map((id) => `${this.#list}/${id}`);
    const first = async () =>
      listSchema.parse(await this.#operate(`${this.#list}?view=all&channel=hosted`)).conversations[0];
    await expect.poll(async () => (await first())?.status, { timeout: 30_000 }).toBe('escalated');
    const id = (await first())?.id ?? '';
    this.path = `${this.#list}/${id}`;
    const inbox = `${this.server.address}/dashboard/w/${workspace}/inbox`;
    this.#inbox = `${inbox}?view=all`;
    this.#address = `${inbox}/${id}`;
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
          url: this.server.address,
        })),
      );
      await context.addInitScript("localStorage.setItem('parley-undo-send', '0')");
      const device = { person, name, context, page: await context.newPage(), hasCrashed: false };
      this.devices.push(device);
      // The first one waits until the dashboard is built.
      await this.#openPage(device, 240_000);
    }
  }

  async #openPage(device: Device, timeout: number): Promise<void> {
    device.page.on('crash', () => {
      device.hasCrashed = true;
    });
    await device.page.goto(this.#address);
    await device.page.getByRole('log', { name: 'Messages' }).waitFor({ timeout });
  }

  /** Opens pages again that Chromium has lost. Returns their number. */
  async reopenCrashed(): Promise<number> {
    const crashed = this.devices.filter(({ hasCrashed, page }) => hasCrashed || page.isClosed());
    for (const device of crashed) {
      await device.page.close();
      device.page = await device.context.newPage();
      device.hasCrashed = false;
      await this.#openPage(device, 30_000);
    }
    return crashed.length;
  }

  async openVisitor(): Promise<Page> {
    const page = await (this.#visitorContext ?? expect.unreachable()).newPage();
    // The visitor's next step opens another one.
    page.on('crash', () => {
      this.visitor = null;
    });
    await page.goto(`${this.server.address}/c/${this.#slug}`);
    await page.locator('textarea[name=query]').waitFor();
    this.visitor = page;
    return page;
  }

  async openInbox({ context }: Device): Promise<Page> {
    const page = await context.newPage();
    await page.goto(this.#inbox);
    return page;
  }

  /** Returns whether the visitor was asked to rate. */
  async rate(comment: string): Promise<boolean> {
    const answer = await this.#visitorContext?.request.post(`${this.server.address}/c/${this.#slug}/rating`, {
      data: { score: 1, comment },
      headers: { origin: this.server.address },
    });
    return answer?.status() === 204;
  }

  async change(path: string, data: object): Promise<void> {
    const [device] = this.devices;
    const changed = await device?.context.request.patch(`${this.server.address}${path}`, {
      data,
      headers: { origin: this.server.address },
    });
    expect(changed?.status()).toBe(200);
  }

  async readStatus({ context }: Device, path: string): Promise<string> {
    const response = await context.request.get(`${this.server.address}${path}`);
    return headSchema.parse(await response.json()).status;
  }

  /** Returns all messages and notes, newest first, and the ratings and drafts as both people see them. */
  async readDatabase() {
    const entries: z.output<typeof entrySchema>[] = [];
    let cursor = '';
    do {
      const page = timelineSchema.parse(await this.#operate(`${this.path}/messages?limit=50${cursor}`));
      entries.push(...page.entries);
      cursor = page.pagination.next_cursor === null ? '' : `&cursor=${page.pagination.next_cursor}`;
    } while (cursor !== '');
    const heads = await Promise.all(
      [this.devices[0], this.devices[2]].map(async (device) => {
        if (device === undefined) return null;
        const response = await device.context.request.get(`${this.server.address}${this.path}`);
        const { earlier: _, ...head } = headSchema.parse(await response.json());
        return head;
      }),
    );
    return { everything: JSON.stringify([entries, heads]), entries };
  }

  /**
   * Reads the texts in the fields of a screen, its suggestions and outgoing messages, and the browser's stored
   * values.
   */
  async readScreen({ page }: Device): Promise<string> {
    const texts = await page
      .locator('textarea')
      .evaluateAll((all) => all.map((one) => String(Reflect.get(one, 'value'))));
    const shown = await page.locator('[data-outgoing], .p-suggestion-text').allInnerTexts();
    const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
    return [...texts, ...shown, kept].join('\n');
  }

  async readMetrics(): Promise<string> {
    const response = await fetch(`${this.server.address}/metrics`, { headers: this.#operator() });
    return response.text();
  }

  async #operate(path: string): Promise<unknown> {
    const response = await fetch(`${this.server.address}${path}`, { headers: this.#operator() });
    return response.json();
  }

  #operator() {
    return { authorization: `Bearer ${this.server.adminToken}` };
  }
}
