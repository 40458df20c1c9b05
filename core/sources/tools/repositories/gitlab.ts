import { z } from 'zod';
import { findFilesInMarkdown } from '../kit/attachments.ts';
import { defineCollection } from '../kit/collection.ts';
import type { Attachment, Collection } from '../kit/declaration.ts';
import { collectPages } from '../kit/pages.ts';
import { toolKind } from '../kit/tool.ts';
import { apiPath, baseAddress, nextQuery, ToolClient } from '../kit/tool-client.ts';
import {
  branchName,
  folderPath,
  isDocumentation,
  openFolder,
  type RepositoryFile,
  renderThread,
  repositoryFile,
  type ThreadPost,
  webPath,
} from './repository.ts';

const settingsSchema = z.object({
  project: z
    .string()
    .max(500)
    .regex(/^\w[\w.-]*(\/\w[\w.-]*)+$/, 'Give it as group/project.')
    .meta({ description: 'The project as in its address: `group/project` or `group/subgroup/project`.' }),
  files: z.boolean().default(true).meta({
    description:
      'Read the documentation files of the repository: Markdown, reStructuredText, AsciiDoc, notebooks and descriptions of APIs.',
  }),
  branch: branchName.optional().meta({ description: 'Empty: the default branch of the project.' }),
  folder: folderPath.optional().meta({
    description: 'Read only the files below this folder, such as `docs`. Empty: the whole repository.',
  }),
  issues: z.enum(['none', 'closed', 'all']).default('none').meta({
    description:
      'Read issues with their comments: none, those that are closed, or all. Confidential issues and internal notes are never read.',
  }),
  attachments: z.boolean().default(true).meta({
    description: 'Read the files that issues link to as uploads, each as a document of its own.',
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

/** Files and issues of a project. https://docs.gitlab.com/api/repositories/ and https://docs.gitlab.com/api/issues/ */
export const gitlabKind = toolKind<Settings, Credentials>({
  kind: 'gitlab',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open({ settings, credentials: { token } }, tools) {
    const headers: Record<string, string> = token === undefined ? {} : { 'private-token': token };
    const base = `${settings.server}/api/v4`;
    const client = new ToolClient({ name: 'GitLab', base, headers }, tools);
    const api = apiPath`/projects/${settings.project}`;
    const place = { client, settings, base, api, web: `${settings.server}/${settings.project}/-` };
    return {
      client,
      collections: [
        ...(settings.files ? [defineCollection(projectFiles(place), client)] : []),
        ...(settings.issues === 'none' ? [] : [defineCollection(projectIssues(place), client)]),
      ],
    };
  },
});

interface Place {
  readonly client: ToolClient;
  readonly settings: Settings;
  readonly base: string;
  /** Addresses of the project in the API, and for people. */
  readonly api: string;
  readonly web: string;
}

const projectSchema = z.object({ default_branch: z.string().nullish() });
const treeSchema = z.array(
  z.object({ id: z.string(), path: z.string(), type: z.string(), mode: z.string().nullish() }),
);
const issueSchema = z.object({
  ...{ iid: z.number().int(), title: z.string(), description: z.string().nullish() },
  ...{ updated_at: z.string(), confidential: z.boolean().nullish() },
});
type Issue = z.output<typeof issueSchema>;
const notesSchema = z.array(
  z.object({
    body: z.string().nullish(),
    system: z.boolean().nullish(),
    internal: z.boolean().nullish(),
    confidential: z.boolean().nullish(),
  }),
);

const filesCursor = z.object({ branch: z.string(), token: z.string().nullable() });

const PAGE_SIZE = 100;
const MOST_NOTE_PAGES = 10;

function projectFiles({ client, settings, web, api }: Place): Collection<RepositoryFile> {
  const folder = openFolder(settings.folder);
  const start = async () => {
    const { value } = await client.list(projectSchema, api);
    return { branch: settings.branch ?? value.default_branch ?? null, token: null };
  };
  return {
    name: 'file',
    async list(cursor) {
      const { branch, token } = cursor === null ? await start() : filesCursor.parse(cursor);
      // An empty repository has no branch.
      if (branch === null) return { records: [], next: null };
      const query = { ref: branch, recursive: true, per_page: PAGE_SIZE, pagination: 'keyset' };
      const { value, response } = await client.list(treeSchema, `${api}/repository/tree`, {
        query: { ...query, path: settings.folder || undefined, page_token: token ?? undefined },
      });
      const records = value
        .filter(({ type, mode }) => type === 'blob' && mode !== '120000')
        .filter(({ path }) => folder.holds(path) && isDocumentation(path))
        .map(({ id: blob, path }) => ({
          path,
          blob,
          url: `${web}/blob/${webPath(branch)}/${webPath(path)}`,
        }));
      const next = nextQuery(response)?.get('page_token') ?? null;
      return { records, next: next === null || next === token ? null : { branch, token: next } };
    },
    describe: ({ path, url, blob }) => ({ id: path, url, version: blob }),
    find: async (path, { version = '', url }) => ({ path, blob: version, url }),
    /** Reads the very blob that was listed. A file that was named as changed has none: it is read by its path. */
    async content({ path, blob }) {
      const response =
        blob === ''
          ? await client.bytes(`${api}${apiPath`/repository/files/${path}/raw`}`, {
              query: { ref: settings.branch ?? 'HEAD' },
            })
          : await client.bytes(`${api}${apiPath`/repository/blobs/${blob}/raw`}`);
      return response === null ? null : repositoryFile(path, response.bytes);
    },
  };
}

interface DiscussedIssue {
  readonly issue: Issue;
  /** The posts, which are loaded with the issue itself and not with the list. */
  readonly posts: readonly ThreadPost[];
}

function projectIssues(place: Place): Collection<DiscussedIssue> {
  const { client, settings, web, api } = place;
  return {
    name: 'issue',
    async list(cursor) {
      const page = z.number().parse(cursor ?? 1);
      const query = { confidential: false, order_by: 'created_at', sort: 'asc', per_page: PAGE_SIZE, page };
      const { value, response } = await client.list(z.array(issueSchema), `${api}/issues`, {
        query: { ...query, state: settings.issues === 'closed' ? 'closed' : undefined },
      });
      const records = value
        .filter(({ confidential }) => confidential !== true)
        .map((issue) => ({ issue, posts: [] }));
      return { records, next: value.length > 0 && nextQuery(response) !== null ? page + 1 : null };
    },
    describe: ({ issue: { iid, title, updated_at: version } }) => {
      return { id: String(iid), title, url: `${web}/issues/${iid}`, version };
    },
    refuse({ issue }) {
      if (issue.confidential !== true) return null;
      return { code: 'restricted', reason: 'The issue is confidential.' };
    },
    async find(iid) {
      const path = `${api}${apiPath`/issues/${iid}`}`;
      const issue = await client.item(issueSchema, path);
      if (issue === null) return null;
      const notes = await collectPages(MOST_NOTE_PAGES, async (page) => {
        const query = { order_by: 'created_at', sort: 'asc', per_page: PAGE_SIZE, page: Number(page ?? 1) };
        const values = (await client.item(notesSchema, `${path}/notes`, { query })) ?? [];
        return { values, next: values.length < PAGE_SIZE ? null : String(query.page + 1) };
      });
      const open = notes.filter((note) => !note.system && !note.internal && !note.confidential);
      return { issue, posts: open.map(({ body }) => ({ text: body ?? '' })) };
    },
    content: ({ issue: { title, description }, posts }) => {
      return renderThread({ title, text: description ?? '', posts });
    },
    attachments: (discussed) => uploads(place, discussed),
  };
}

/** Files that people drop into a text. The API gives them with the token, the website only after a sign-in. */
function uploads({ settings, base, api }: Place, { issue, posts }: DiscussedIssue): readonly Attachment[] {
  if (!settings.attachments) return [];
  const all = [issue.description ?? '', ...posts.map((post) => post.text)].join('\n');
  const files = findFilesInMarkdown(all, {
    base: settings.server,
    isOwn: (url) =>
      url.origin === new URL(settings.server).origin && /^\/uploads\/\w{8,64}\/[^/]+$/.test(url.pathname),
  });
  return files.map((file) => ({ ...file, address: base + api + new URL(file.address).pathname }));
}
