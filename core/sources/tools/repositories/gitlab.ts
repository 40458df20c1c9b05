import { z } from 'zod';
import type { Json } from '../../../contract/account.ts';
import type {
  KnownItem,
  ListedItem,
  ListedPage,
  ReadResult,
  SourceKind,
  SourceReader,
  SourceTools,
} from '../../source-reader.ts';
import { apiPath, baseAddress, nextQuery, ToolClient } from '../kit/tool-client.ts';
import {
  branchName,
  folderPath,
  isMarkdown,
  markdownFile,
  openFolder,
  renderThread,
  type ThreadPost,
  webPath,
} from './repository.ts';

const settingsSchema = z.object({
  project: z
    .string()
    .max(500)
    .regex(/^\w[\w.-]*(\/\w[\w.-]*)+$/, 'Give it as group/project.')
    .meta({ description: 'The project as in its address: `group/project` or `group/subgroup/project`.' }),
  files: z.boolean().default(true).meta({ description: 'Read the Markdown files of the repository.' }),
  branch: branchName.optional().meta({ description: 'Empty: the default branch of the project.' }),
  folder: folderPath.optional().meta({
    description: 'Read only the files below this folder, such as `docs`. Empty: the whole repository.',
  }),
  issues: z.enum(['none', 'closed', 'all']).default('none').meta({
    description:
      'Read issues with their comments: none, those that are closed, or all. Confidential issues and internal notes are never read.',
  }),
  server: baseAddress.default('https://gitlab.com').meta({
    description: 'The address of GitLab, if you run it yourself.',
  }),
});

const credentialsSchema = z.object({
  token: z.string().min(1).optional().meta({
    description:
      'A project access token with the role Reporter and the scope `read_api`, from Settings > Access tokens of the project. Public projects can be read without one.',
    format: 'password',
  }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/** Markdown and issues of a project. https://docs.gitlab.com/api/repositories/ and https://docs.gitlab.com/api/issues/ */
export const gitlabKind: SourceKind<Settings, Credentials> = {
  kind: 'gitlab',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open: (values, tools) => new GitLabReader(values, tools),
};

const projectSchema = z.object({ default_branch: z.string().nullish() });
const treeSchema = z.array(
  z.object({ id: z.string(), path: z.string(), type: z.string(), mode: z.string().nullish() }),
);
const issueSchema = z.object({
  ...{ iid: z.number().int(), title: z.string(), description: z.string().nullish() },
  ...{ updated_at: z.string(), confidential: z.boolean().nullish() },
});
const notesSchema = z.array(
  z.object({
    body: z.string().nullish(),
    system: z.boolean().nullish(),
    internal: z.boolean().nullish(),
    confidential: z.boolean().nullish(),
  }),
);

const cursorSchema = z.discriminatedUnion('step', [
  z.object({ step: z.literal('files'), branch: z.string(), token: z.string().nullable() }),
  z.object({ step: z.literal('issues'), page: z.number().int() }),
]);
type Cursor = z.output<typeof cursorSchema>;

const PAGE_SIZE = 100;
const MOST_NOTE_PAGES = 5;

class GitLabReader implements SourceReader {
  readonly isComplete = true;
  readonly #client: ToolClient;
  readonly #settings: Settings;
  readonly #web: string;
  readonly #api: string;

  constructor(
    { settings, credentials: { token } }: { readonly settings: Settings; readonly credentials: Credentials },
    tools: SourceTools,
  ) {
    const headers: Record<string, string> = token === undefined ? {} : { 'private-token': token };
    const base = `${settings.server}/api/v4`;
    this.#client = new ToolClient({ name: 'GitLab', base, headers }, tools);
    this.#settings = settings;
    this.#web = `${settings.server}/${settings.project}/-`;
    this.#api = apiPath`/projects/${settings.project}`;
  }

  async list(value: Json | null): Promise<ListedPage> {
    const cursor = value === null ? await this.#start() : cursorSchema.parse(value);
    if (cursor === null) return { items: [], next: null };
    return cursor.step === 'files' ? this.#listFiles(cursor) : this.#listIssues(cursor.page);
  }

  async read(item: KnownItem): Promise<ReadResult> {
    const [kind = '', ...rest] = item.key.split(':');
    const id = rest.join(':');
    return kind === 'file' ? this.#readFile(item, id) : this.#readIssue(id);
  }

  async #start(): Promise<Cursor | null> {
    const { files, branch } = this.#settings;
    const { value } = await this.#client.list(projectSchema, this.#api);
    const name = branch ?? value.default_branch;
    // An empty repository has no branch.
    if (!files || name === null || name === undefined) return this.#issues();
    return { step: 'files', branch: name, token: null };
  }

  #issues(): Cursor | null {
    return this.#settings.issues === 'none' ? null : { step: 'issues', page: 1 };
  }

  async #listFiles(cursor: Extract<Cursor, { readonly step: 'files' }>): Promise<ListedPage> {
    const { branch, token } = cursor;
    const folder = openFolder(this.#settings.folder);
    const query = { ref: branch, recursive: true, per_page: PAGE_SIZE, pagination: 'keyset' };
    const { value, response } = await this.#client.list(treeSchema, `${this.#api}/repository/tree`, {
      query: { ...query, path: this.#settings.folder || undefined, page_token: token ?? undefined },
    });
    const items: ListedItem[] = value
      .filter(({ path, type, mode }) => {
        return type === 'blob' && mode !== '120000' && folder.holds(path) && isMarkdown(path);
      })
      .map(({ id, path }) => {
        return {
          key: `file:${path}`,
          url: `${this.#web}/blob/${webPath(branch)}/${webPath(path)}`,
          version: id,
        };
      });
    const next = nextQuery(response)?.get('page_token') ?? null;
    return { items, next: next === null || next === token ? this.#issues() : { ...cursor, token: next } };
  }

  async #listIssues(page: number): Promise<ListedPage> {
    const { issues } = this.#settings;
    const query = { confidential: false, order_by: 'created_at', sort: 'asc', per_page: PAGE_SIZE, page };
    const { value, response } = await this.#client.list(z.array(issueSchema), `${this.#api}/issues`, {
      query: { ...query, state: issues === 'closed' ? 'closed' : undefined },
    });
    const items = value
      .filter(({ confidential }) => confidential !== true)
      .map(({ iid, title, updated_at: version }) => ({
        ...{ key: `issue:${iid}`, url: `${this.#web}/issues/${iid}`, title, version },
      }));
    const hasNext = value.length > 0 && nextQuery(response) !== null;
    return { items, next: hasNext ? { step: 'issues', page: page + 1 } : null };
  }

  /** Reads the very blob that was listed, so that no path is part of the request. */
  async #readFile({ version = '' }: KnownItem, path: string): Promise<ReadResult> {
    const response = await this.#client.bytes(`${this.#api}${apiPath`/repository/blobs/${version}/raw`}`);
    return response === null ? { kind: 'gone' } : markdownFile(path, response.bytes);
  }

  async #readIssue(iid: string): Promise<ReadResult> {
    const path = `${this.#api}${apiPath`/issues/${iid}`}`;
    const issue = await this.#client.item(issueSchema, path);
    if (issue === null) return { kind: 'gone' };
    if (issue.confidential === true) {
      return { kind: 'skipped', code: 'restricted', reason: 'The issue is confidential.' };
    }
    const posts: ThreadPost[] = [];
    for (let page = 1; page <= MOST_NOTE_PAGES; page += 1) {
      const query = { order_by: 'created_at', sort: 'asc', per_page: PAGE_SIZE, page };
      const notes = (await this.#client.item(notesSchema, `${path}/notes`, { query })) ?? [];
      const open = notes.filter((note) => !note.system && !note.internal && !note.confidential);
      posts.push(...open.map(({ body }) => ({ text: body ?? '' })));
      if (notes.length < PAGE_SIZE) break;
    }
    const { title, description } = issue;
    return renderThread({ title, url: `${this.#web}/issues/${issue.iid}`, text: description ?? '', posts });
  }
}
