import { z } from 'zod';
import type { Json } from '../../../contract/account.ts';
import { ItemError } from '../../source-reader.ts';
import { renderArticle } from '../kit/article.ts';
import { maxFileBytes, refuseFile } from '../kit/attachments.ts';
import { defineCollection } from '../kit/collection.ts';
import type { Collection, Refusal } from '../kit/declaration.ts';
import { toolKind } from '../kit/tool.ts';
import { apiPath, baseAddress, ToolClient } from '../kit/tool-client.ts';
import {
  type Content,
  cloudFileSchema,
  contentSchema,
  expanded,
  fileSchema,
  isRestriction,
  type Restriction,
  readRestrictionSchema,
  searchSchema,
  textSchema,
} from './confluence-content.ts';

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
  blog_posts: z.boolean().default(true).meta({ description: 'Read the blog posts of the spaces too.' }),
  attachments: z.boolean().default(true).meta({
    description:
      'Read the files that are attached to pages and blog posts too, each as a document of its own.',
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
 * Pages, blog posts and files of Confluence, in the cloud and on own servers. The list comes from a search that both have:
 * https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-content/#api-wiki-rest-api-content-search-get
 */
export const confluenceKind = toolKind<Settings, Credentials>({
  kind: 'confluence',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open({ settings, credentials: { email, token } }, tools) {
    const basic = Buffer.from(`${email}:${token}`).toString('base64');
    const authorization = email === undefined ? `Bearer ${token}` : `Basic ${basic}`;
    const { hostname, pathname } = new URL(settings.site);
    const isCloud = hostname.endsWith('.atlassian.net');
    // In the cloud, Confluence is below a path that people tend to leave out.
    const base = isCloud && pathname === '/' ? `${settings.site}/wiki` : settings.site;
    const headers = { authorization, accept: 'application/json' };
    const client = new ToolClient({ name: 'Confluence', base, headers }, tools);
    const site = new Site(client, { settings, base, isCloud });
    const written = [
      defineCollection(texts(site, { name: '', type: 'page' }), client),
      ...(settings.blog_posts
        ? [defineCollection(texts(site, { name: 'blogpost', type: 'blogpost' }), client)]
        : []),
    ];
    const files = settings.attachments ? [defineCollection(attachedFiles(site), client)] : [];
    return { client, collections: [...written, ...files] };
  },
});

/** The cloud continues with a cursor, own servers with a number. */
const cursorSchema = z.object({ name: z.enum(['cursor', 'start']), value: z.string() }).nullable();

/** Few, because each page above one of them may take a request of its own. */
const PAGE_SIZE = 25;

interface SiteParts {
  readonly settings: Settings;
  readonly base: string;
  readonly isCloud: boolean;
}

/** The search of a site, and who may view what it finds. */
class Site {
  readonly client: ToolClient;
  readonly isCloud: boolean;
  readonly #parts: SiteParts;
  /** Whether only some people may view a page, by its id. */
  readonly #restricted = new Map<string, boolean>();

  constructor(client: ToolClient, parts: SiteParts) {
    this.client = client;
    this.isCloud = parts.isCloud;
    this.#parts = parts;
  }

  async list(type: string, cursor: Json | null) {
    const from = cursorSchema.parse(cursor);
    const spaces = this.#parts.settings.spaces.map((key) => `"${key}"`).join(',');
    const cql = `space in (${spaces}) and type = ${type} order by created asc`;
    const query = {
      cql,
      expand: expanded,
      limit: PAGE_SIZE,
      ...(from !== null && { [from.name]: from.value }),
    };
    const { value } = await this.client.list(searchSchema, '/rest/api/content/search', { query });
    return {
      records: value.results,
      next: value.results.length === 0 ? null : nextCursor(value._links.next),
    };
  }

  /** Finds pages and blog posts by their ids. Those that the account may not view are missing. */
  async find(ids: readonly string[]): Promise<readonly Content[]> {
    const wanted = [...new Set(ids)].filter((id) => /^\d{1,20}$/.test(id)).slice(0, PAGE_SIZE);
    if (wanted.length === 0) return [];
    const query = { cql: `id in (${wanted.join(',')})`, expand: expanded, limit: PAGE_SIZE };
    const { value } = await this.client.list(searchSchema, '/rest/api/content/search', { query });
    return value.results;
  }

  webAddress(path: string | undefined): string | undefined {
    return path?.startsWith('/') === true ? this.#parts.base + path : undefined;
  }

  /** A page inherits the restrictions of the pages above it. */
  async refuse(content: Content): Promise<Refusal | null> {
    const { status = 'current' } = content;
    if (status !== null && status !== 'current') {
      return { code: 'not_current', reason: `The page has the status ${status}.` };
    }
    if (this.#parts.settings.restricted === 'include') return null;
    const own = content.restrictions?.read;
    if (own !== undefined) this.#restricted.set(content.id, isRestriction(own));
    for (const id of [content.id, ...content.ancestors.map((ancestor) => ancestor.id)]) {
      if (await this.#isRestricted(id)) return restricted;
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
      const found: Restriction | null = await this.client.item(readRestrictionSchema, path, { query });
      return found === null || isRestriction(found);
    } catch (error) {
      // A restriction that nobody may see is one.
      if (error instanceof ItemError && error.code === 'no_permission') return true;
      throw error;
    }
  }
}

const restricted: Refusal = {
  code: 'restricted',
  reason: 'Only some people may view the page or one above it.',
};

interface WrittenContent {
  readonly content: Content;
  readonly html: string | null;
}

function texts(site: Site, { name, type }: { readonly name: string; readonly type: string }) {
  const collection: Collection<WrittenContent> = {
    name,
    async list(cursor) {
      const { records, next } = await site.list(type, cursor);
      return { records: records.map((content) => ({ content, html: null })), next };
    },
    describe: ({ content: { id, title, version, _links: links } }) => {
      const url = site.webAddress(links.webui);
      return { id, title, url, version: version === undefined ? undefined : `${version.number} ${title}` };
    },
    refuse: ({ content }) => site.refuse(content),
    /** The cloud has given up the older address of a page, and own servers do not know the newer one. */
    async find(id, _item, listed) {
      const page = site.isCloud
        ? await site.client.item(textSchema, apiPath`/api/v2/${type}s/${id}`, {
            query: { 'body-format': 'view' },
          })
        : await site.client.item(textSchema, apiPath`/rest/api/content/${id}`, {
            query: { expand: 'body.view' },
          });
      if (page === null) return null;
      const [found] = listed === undefined ? await site.find([id]) : [listed.content];
      const { title, status, _links: links, body } = page;
      const content = { ...contentSchema.parse({ id, title }), ...found, title, status, _links: links };
      return { content, html: body.view.value };
    },
    content: ({ content, html }) => {
      const path = [content.space?.name, ...content.ancestors.map((ancestor) => ancestor.title)];
      const text = html ?? '';
      if (text.trim() === '') return { code: 'empty', reason: 'The page has no text.' };
      return { bytes: renderArticle({ path, body: text }), contentType: 'text/html; charset=utf-8' };
    },
  };
  return collection;
}

interface AttachedFile {
  readonly file: z.output<typeof fileSchema>;
  /** The page or blog post of the file. Null if the account may not view it. */
  readonly container: Content | null;
}

/** Files are listed by themselves: a page does not change when one is added. */
function attachedFiles(site: Site): Collection<AttachedFile> {
  return {
    name: 'file',
    async list(cursor) {
      const { records, next } = await site.list('attachment', cursor);
      const files = records.map((record) => fileSchema.parse(record));
      const containers = await site.find(files.map(({ container }) => container?.id ?? ''));
      const byId = new Map(containers.map((container) => [container.id, container]));
      const placed = files.map((file) => ({ file, container: byId.get(file.container?.id ?? '') ?? null }));
      return { records: placed, next };
    },
    describe: ({ file: { id, title, version, _links: links } }) => {
      return { id, title, url: site.webAddress(links.webui), version: `${version?.number ?? ''} ${title}` };
    },
    async refuse({ file, container }) {
      const { mediaType: contentType, fileSize: bytes } = file.extensions;
      const refusal = refuseFile({ name: file.title, contentType, bytes });
      if (refusal !== null) return refusal;
      return container === null ? restricted : site.refuse(container);
    },
    async find(id, _item, listed) {
      if (listed !== undefined) return listed;
      const file = site.isCloud
        ? await site.client.item(cloudFileSchema, apiPath`/api/v2/attachments/${id}`)
        : await site.client.item(fileSchema, apiPath`/rest/api/content/${id}`, {
            query: { expand: 'version,container' },
          });
      if (file === null) return null;
      const [container = null] = await site.find([file.container?.id ?? '']);
      return { file, container };
    },
    async content({ file }) {
      const path = site.webAddress(file._links.download);
      if (path === undefined) return null;
      const response = await site.client.download(path, maxFileBytes);
      if (response === null) return null;
      const contentType = file.extensions.mediaType ?? response.headers.get('content-type') ?? '';
      return { bytes: response.bytes, contentType, fileName: file.title };
    },
  };
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
