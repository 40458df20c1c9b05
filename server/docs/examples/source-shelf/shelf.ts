import { z } from 'zod';
import type { Json } from '../../../../core/contract/account.ts';
import type {
  KnownItem,
  ListedPage,
  ReadResult,
  SourceKind,
  SourceReader,
  SourceTools,
} from '../../../../core/sources/source-reader.ts';
import { apiPath, ToolClient } from '../../../../core/sources/tools/kit/tool-client.ts';

const settingsSchema = z.object({
  shelf: z.string().min(1).max(100).meta({ description: 'The name of the shelf, as in its address.' }),
});

const credentialsSchema = z.object({
  api_token: z.string().min(1).meta({ description: 'From your profile at Shelf.', format: 'password' }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/** The pages of a shelf. Start a kind of source of your own from it: `npm run new -- source NAME`. */
export const shelfKind: SourceKind<Settings, Credentials> = {
  kind: 'shelf',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open: (values, tools) => new ShelfReader(values, tools),
};

const pageSchema = z.object({ id: z.string(), title: z.string(), url: z.string(), changed_at: z.string() });
const listSchema = z.object({ pages: z.array(pageSchema), next: z.string().nullable() });
const answerSchema = pageSchema.extend({ html: z.string() });

class ShelfReader implements SourceReader {
  /** The list names every page, so a page that is missing from it is gone. */
  readonly isComplete = true;
  readonly #client: ToolClient;
  readonly #settings: Settings;

  constructor(
    { settings, credentials }: { readonly settings: Settings; readonly credentials: Credentials },
    tools: SourceTools,
  ) {
    const headers = { authorization: `Bearer ${credentials.api_token}` };
    this.#client = new ToolClient({ name: 'Shelf', base: 'https://api.shelf.example', headers }, tools);
    this.#settings = settings;
  }

  async list(cursor: Json | null): Promise<ListedPage> {
    const after = z.string().nullable().parse(cursor);
    const path = apiPath`/v1/shelves/${this.#settings.shelf}/pages`;
    const { value } = await this.#client.list(listSchema, path, { query: { after: after ?? undefined } });
    const items = value.pages.map(({ id, title, url, changed_at }) => ({
      ...{ key: id, title, url },
      version: changed_at,
    }));
    // The same cursor again would never end.
    return { items, next: value.next === after ? null : value.next };
  }

  async read({ key }: KnownItem): Promise<ReadResult> {
    const page = await this.#client.item(answerSchema, apiPath`/v1/pages/${key}`);
    if (page === null) return { kind: 'gone' };
    if (page.html.trim() === '') return { kind: 'skipped', code: 'empty', reason: 'The page has no text.' };
    const { html, title, url } = page;
    return { kind: 'content', bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', title, url };
  }
}
