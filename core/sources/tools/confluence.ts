import { z } from 'zod';
import type { Json } from '../../contract/account.ts';
import {
  ItemError,
  type KnownItem,
  type ListedItem,
  type ListedPage,
  type ReadResult,
  type SkippedItem,
  type SourceKind,
  type SourceReader,
  type SourceTools,
} from '../source-reader.ts';
import { apiPath, baseAddress, ToolClient } from './tool-client.ts';

const settingsSchema = z.object({
  site: baseAddress.meta({
    description:
      'The address of Confluence: `https://acme.atlassian.net/wiki`, or that of your own server, such as `https://confluence.acme.example`.',
  }),
  spaces: z
    .array(z.string().regex(/^[~\w.-]{1,255}$/, 'Give the key of a space, such as HELP.'))
    .min(1)
    .max(50)
    .meta({ description: 'The keys of the spaces to read, such as `HELP`: see the settings of a space.' }),
  restricted: z.enum(['leave_out', 'include']).default('leave_out').meta({
    description:
      'Pages that only some people may view, or that are below such a page. `leave_out`: they are not read. `include`: they are read like all others.',
  }),
});

const credentialsSchema = z.object({
  email: z.email().optional().meta({
    description:
      'Confluence Cloud: the email address of the account that the token belongs to. Own server: empty.',
  }),
  token: z.string().min(1).meta({
    description:
      'Confluence Cloud: an API token without scopes from id.atlassian.com > Security > API tokens. Own server: a personal access token from your profile. It reads what its account may view.',
    format: 'password',
  }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/**
 * Pages of Confluence, in the cloud and on own servers. The list comes from a search that both have:
 * https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-content/#api-wiki-rest-api-content-search-get
 */
export const confluenceKind: SourceKind<Settings, Credentials> = {
  kind: 'confluence',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open: (values, tools) => new ConfluenceReader(values, tools),
};

const subjectsSchema = z.object({ results: z.array(z.unknown()) }).optional();
const restrictionsSchema = z.object({ user: subjectsSchema, group: subjectsSchema });
const readRestrictionSchema = z.object({ restrictions: restrictionsSchema });
const linksSchema = z.object({ webui: z.string().optional(), next: z.string().optional() }).default({});

const pageSchema = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string().nullish(),
  version: z.object({ number: z.number(), when: z.string().nullish() }),
  ancestors: z.array(z.object({ id: z.string() })).default([]),
  restrictions: z.object({ read: readRestrictionSchema.optional() }).optional(),
  _links: linksSchema,
});
type Page = z.output<typeof pageSchema>;

const searchSchema = z.object({ results: z.array(pageSchema), _links: linksSchema });
const textSchema = z.object({
  title: z.string(),
  status: z.string().nullish(),
  body: z.object({ view: z.object({ value: z.string() }) }),
  _links: linksSchema,
});

/** The cloud continues with a cursor, own servers with a number. */
const cursorSchema = z.object({ name: z.enum(['cursor', 'start']), value: z.string() }).nullable();

/** The number is low, because each page above one of them may take a request of its own. */
const PAGE_SIZE = 25;
const expanded = [
  'version',
  'ancestors',
  'restrictions.read.restrictions.user',
  'restrictions.read.restrictions.group',
].join(',');

class ConfluenceReader implements SourceReader {
  readonly isComplete = true;
  readonly #client: ToolClient;
  readonly #settings: Settings;
  readonly #site: string;
  readonly #isCloud: boolean;
  /** Whether a page is restricted to some people, by its id. */
  readonly #restricted = new Map<string, boolean>();

  constructor(
    { settings, credentials }: { readonly settings: Settings; readonly credentials: Credentials },
    tools: SourceTools,
  ) {
    const { email, token } = credentials;
    const basic = Buffer.from(`${email}:${token}`).toString('base64');
    const authorization = email === undefined ? `Bearer ${token}` : `Basic ${basic}`;
    const headers = { authorization, accept: 'application/json' };
    const { hostname, pathname } = new URL(settings.site);
    this.#isCloud = hostname.endsWith('.atlassian.net');
    // In the cloud, Confluence is below a path that people often leave out.
    this.#site = this.#isCloud && pathname === '/' ? `${settings.site}/wiki` : settings.site;
    this.#client = new ToolClient({ name: 'Confluence', base: this.#site, headers }, tools);
    this.#settings = settings;
  }

  async list(value: Json | null): Promise<ListedPage> {
    const cursor = cursorSchema.parse(value);
    const spaces = this.#settings.spaces.map((key) => `"${key}"`).join(',');
    const cql = `space in (${spaces}) and type = page order by created asc`;
    const { value: found } = await this.#client.list(searchSchema, '/rest/api/content/search', {
      query: {
        cql,
        expand: expanded,
        limit: PAGE_SIZE,
        ...(cursor !== null && { [cursor.name]: cursor.value }),
      },
    });
    const items: ListedItem[] = [];
    const leftOut: SkippedItem[] = [];
    for (const page of found.results) {
      const item = this.#toItem(page);
      const reason = reasonAgainst(page) ?? (await this.#restriction(page));
      if (reason === null) items.push(item);
      else leftOut.push({ ...item, ...reason });
    }
    const next = nextCursor(found._links.next);
    const isSame = next?.value === cursor?.value && next?.name === cursor?.name;
    return { items, leftOut, next: isSame || found.results.length === 0 ? null : next };
  }

  /** The cloud has removed the older address of a page, and self-hosted servers do not know the newer one. */
  async read({ key }: KnownItem): Promise<ReadResult> {
    const page = this.#isCloud
      ? await this.#client.item(textSchema, apiPath`/api/v2/pages/${key}`, {
          query: { 'body-format': 'view' },
        })
      : await this.#client.item(textSchema, apiPath`/rest/api/content/${key}`, {
          query: { expand: 'body.view' },
        });
    if (page === null) return { kind: 'gone' };
    const reason = reasonAgainst(page);
    if (reason !== null) return { kind: 'skipped', ...reason };
    const html = page.body.view.value;
    if (html.trim() === '') return { kind: 'skipped', code: 'empty', reason: 'The page has no text.' };
    const url = this.#webAddress(page._links.webui);
    return {
      kind: 'content',
      bytes: Buffer.from(html),
      contentType: 'text/html; charset=utf-8',
      title: page.title,
      ...(url !== null && { url }),
    };
  }

  /** A page inherits the restrictions of the pages above it. */
  async #restriction(page: Page): Promise<{ readonly code: string; readonly reason: string } | null> {
    if (this.#settings.restricted === 'include') return null;
    const own = page.restrictions?.read;
    if (own !== undefined) this.#restricted.set(page.id, isRestriction(own));
    for (const id of [page.id, ...page.ancestors.map((ancestor) => ancestor.id)]) {
      if (await this.#isRestricted(id)) {
        return { code: 'restricted', reason: 'Only some people may view the page or one above it.' };
      }
    }
    return null;
  }

  async #isRestricted(id: string): Promise<boolean> {
    const known = this.#restricted.get(id);
    if (known !== undefined) return known;
    const isRestricted = await this.#loadRestriction(id);
    this.#restricted.set(id, isRestricted);
    return isRestricted;
  }

  async #loadRestriction(id: string): Promise<boolean> {
    const query = { expand: 'restrictions.user,restrictions.group' };
    try {
      const path = apiPath`/rest/api/content/${id}/restriction/byOperation/read`;
      const restriction = await this.#client.item(readRestrictionSchema, path, { query });
      return restriction === null || isRestriction(restriction);
    } catch (error) {
      // A restriction to nobody is one too.
      if (error instanceof ItemError && error.code === 'no_permission') return true;
      throw error;
    }
  }

  #toItem({ id, title, version, _links: links }: Page): ListedItem {
    const url = this.#webAddress(links.webui);
    return { key: id, title, version: `${version.number} ${title}`, ...(url !== null && { url }) };
  }

  #webAddress(path: string | undefined): string | null {
    return path?.startsWith('/') === true ? this.#site + path : null;
  }
}

function reasonAgainst({ status }: Pick<Page, 'status'>) {
  if (status === 'current' || status === null || status === undefined) return null;
  return { code: 'not_current', reason: `The page has the status ${status}.` };
}

function isRestriction({ restrictions: { user, group } }: z.output<typeof readRestrictionSchema>): boolean {
  return (user?.results.length ?? 0) + (group?.results.length ?? 0) > 0;
}

/** Only the values are taken from the link: the request goes to the site of the settings. */
function nextCursor(link: string | undefined): z.output<typeof cursorSchema> {
  const values = URL.parse(link ?? '', 'https://tool.invalid')?.searchParams;
  for (const name of ['cursor', 'start'] as const) {
    const value = values?.get(name) ?? null;
    if (value !== null) return { name, value };
  }
  return null;
}
