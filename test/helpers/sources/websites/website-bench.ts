import { namedActor } from '../../../../core/contract/actor.ts';
import { addRule, type NewRule, removeRule } from '../../../../core/sources/ledger/block-rules.ts';
import type { RunDependencies } from '../../../../core/sources/runs/run-slice.ts';
import { website } from '../../../../core/sources/website/website.ts';
import type { Database } from '../../../../core/storage/database.ts';
import { type RecordedAnswer, recordedTools } from '../read-source.ts';
import { SourceBench } from '../source-bench.ts';

export const origin = 'https://acme.example';

/** A page with a menu and a footer that no name, role or element marks. */
export function markedPage(own: string, title = own): string {
  return `<title>${title}</title><div class="c1"><div>Products</div><div>Prices for all of them</div></div>
<div class="c2">${own}</div><div class="c3">Copyright by Acme</div>`;
}

/** A website with a sitemap that a source reads on a database. `asked` are its requests, `added` what became documents. */
export class WebsiteBench extends SourceBench {
  readonly asked: string[] = [];
  readonly added: string[] = [];
  readonly workspaceId: string;
  readonly id: string;
  pages: Readonly<Record<string, string>> = {};

  private constructor(database: Database, { workspaceId, id }: { workspaceId: string; id: string }) {
    super(database, [website]);
    this.workspaceId = workspaceId;
    this.id = id;
  }

  static async open(database: Database, workspace?: string): Promise<WebsiteBench> {
    const first = new SourceBench(database, [website]);
    const workspaceId = workspace ?? (await first.workspace());
    const settings = { url: `${origin}/sitemap.xml`, follow: 'sitemap' };
    const id = await first.create(workspaceId, {
      kind: 'website',
      settings,
      credentials: {},
      maxItems: 5_000,
    });
    return new WebsiteBench(database, { workspaceId, id });
  }

  get target() {
    return { workspaceId: this.workspaceId, sourceId: this.id, actor: namedActor('Ann') };
  }

  get #parts(): Partial<RunDependencies> {
    const pages = Object.entries(this.pages);
    const list = pages.map(([path]) => `<url><loc>${origin}${path}</loc></url>`);
    const sitemap = {
      headers: { 'content-type': 'application/xml' },
      body: `<urlset>${list.join('')}</urlset>`,
    };
    const { tools } = recordedTools({
      ...Object.fromEntries(pages.map(([path, body]): [string, RecordedAnswer] => [origin + path, { body }])),
      [`${origin}/sitemap.xml`]: sitemap,
    });
    return {
      fetch: (address, request) => {
        this.asked.push(address);
        return tools.fetch(address, request);
      },
      wait: async () => {},
      documents: {
        add: (document) => {
          this.added.push(Buffer.from(document.bytes).toString());
          return this.documents.add(document);
        },
        delete: (...document) => this.documents.delete(...document),
      },
    };
  }

  /** Reads the site to the end of the run, and publishes what waits for the index. */
  async read(pages: Readonly<Record<string, string>> = this.pages) {
    this.pages = pages;
    const run = await this.run(this.workspaceId, this.id, this.#parts);
    await this.index(this.workspaceId);
    return run;
  }

  /** Works on what is queued, and publishes what waits for the index. */
  async finish(dependencies: Partial<RunDependencies> = {}) {
    this.asked.length = 0;
    this.added.length = 0;
    await this.work({ ...this.#parts, ...dependencies });
    await this.index(this.workspaceId);
    return this.lastRun(this.workspaceId, this.id);
  }

  addRule(rule: Omit<NewRule, 'sample'>) {
    return this.addRuleTo(this.target, rule);
  }

  addRuleTo(target: Parameters<typeof addRule>[1], rule: Omit<NewRule, 'sample'>) {
    return addRule({ ...this.stores, ...this.waking }, target, { ...rule, sample: 'A block' });
  }

  removeRule(id: string) {
    return removeRule({ ...this.stores, ...this.waking }, this.target, id);
  }

  get stores() {
    return { database: this.database.kysely, clock: this.dependencies.clock };
  }

  get waking() {
    return { queue: this.queue, log: this.dependencies.log };
  }

  /** The addresses of pages with the revision that their documents wait for or have. */
  async revisions(): Promise<Readonly<Record<string, number>>> {
    const rows = await this.database.kysely
      .selectFrom('document')
      .select(['url', 'wanted_revision'])
      .where('source_id', '=', this.id)
      .where('status', '<>', 'deleted')
      .orderBy('url')
      .execute();
    return Object.fromEntries(
      rows.map(({ url, wanted_revision }) => [(url ?? '').replace(origin, ''), wanted_revision]),
    );
  }

  storedPages() {
    return this.database.kysely
      .selectFrom('source_page')
      .selectAll()
      .where('source_id', '=', this.id)
      .orderBy('key')
      .execute();
  }

  async trees(): Promise<number> {
    const rows = await this.database.kysely
      .selectFrom('page_tree')
      .select('hash')
      .where('workspace_id', '=', this.workspaceId)
      .execute();
    return rows.length;
  }
}
