import { z } from 'zod';
import { renderArticle } from '../kit/article.ts';
import { defineCollection } from '../kit/collection.ts';
import type { Collection } from '../kit/declaration.ts';
import { collectPages } from '../kit/pages.ts';
import { toolKind } from '../kit/tool.ts';
import { apiPath, baseAddress, ToolClient } from '../kit/tool-client.ts';
import { type Issue, issueSchema, readFacts } from './jira-fields.ts';

const settingsSchema = z.object({
  site: baseAddress.meta({
    description:
      'The address of Jira: `https://acme.atlassian.net`, or that of your own server, such as `https://jira.acme.example`.',
  }),
  projects: z
    .array(z.string().regex(/^[A-Z][A-Z\d_]{1,254}$/i, 'Give the key of a project, such as HELP.'))
    .min(1)
    .max(50)
    .meta({
      description: 'The keys of the projects to read, such as `HELP`: the first part of the keys of issues.',
    }),
  query: z
    .string()
    .max(2_000)
    .refine((text) => !/order\s{1,10}by/i.test(text), 'Leave out the order.')
    .optional()
    .meta({
      description:
        'Read only issues that this JQL finds, such as `labels = faq and statusCategory = Done`. Empty: all.',
    }),
  comments: z.boolean().default(true).meta({
    description:
      'Read the comments of issues too. Internal ones, and those for a group or role, are never read.',
  }),
  restricted: z.enum(['leave_out', 'include']).default('leave_out').meta({
    description:
      'Issues with a security level. `leave_out`: they are not read. `include`: they are read like all others.',
  }),
  attachments: z.boolean().default(true).meta({
    description: 'Read the files that are attached to issues too, each as a document of its own.',
  }),
});

const credentialsSchema = z.object({
  email: z.email().optional().meta({
    description: 'Jira Cloud: the email address of the account that the token belongs to. Own server: empty.',
  }),
  token: z.string().min(1).meta({
    description:
      'Jira Cloud: an API token without scopes from id.atlassian.com > Security > API tokens. Own server: a personal access token from your profile. It reads what its account may view.',
    format: 'password',
  }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/** Issues of Jira. https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/ */
export const jiraKind = toolKind<Settings, Credentials>({
  kind: 'jira',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open({ settings, credentials: { email, token } }, tools) {
    const basic = Buffer.from(`${email}:${token}`).toString('base64');
    const authorization = email === undefined ? `Bearer ${token}` : `Basic ${basic}`;
    const base = settings.site;
    const headers = { authorization, accept: 'application/json' };
    const client = new ToolClient({ name: 'Jira', base, headers }, tools);
    return { client, collections: [defineCollection(issues(client, settings), client)] };
  },
});

const searchSchema = z.object({
  issues: z.array(issueSchema),
  /** The cloud continues with a token, own servers with a number. */
  nextPageToken: z.string().nullish(),
  startAt: z.number().nullish(),
  total: z.number().nullish(),
});
const cursorSchema = z.union([z.string(), z.number()]).nullable();
const commentsSchema = z.object({
  comments: z.array(
    z.object({
      body: z.string().nullish(),
      renderedBody: z.string().nullish(),
      visibility: z.unknown().optional(),
      jsdPublic: z.boolean().nullish(),
    }),
  ),
  total: z.number().nullish(),
});

const PAGE_SIZE = 100;
const MOST_COMMENT_PAGES = 10;
/** Texts and own fields come with the issue itself. */
const listed = ['summary', 'updated', 'security', 'project'];

interface WrittenIssue {
  readonly issue: Issue;
  /** The comments as HTML; absent in the list. */
  readonly comments: readonly string[];
}

function issues(client: ToolClient, settings: Settings): Collection<WrittenIssue> {
  const isCloud = new URL(settings.site).hostname.endsWith('.atlassian.net');
  const keys = settings.projects.map((key) => `"${key}"`).join(',');
  const more = settings.query === undefined || settings.query.trim() === '' ? '' : ` and (${settings.query})`;
  const jql = `project in (${keys})${more} order by created asc`;
  return {
    name: '',
    async list(cursor) {
      const from = cursorSchema.parse(cursor);
      const query = { jql, fields: listed.join(','), maxResults: PAGE_SIZE };
      const at = isCloud ? { nextPageToken: from ?? undefined } : { startAt: from ?? 0 };
      const path = isCloud ? '/rest/api/3/search/jql' : '/rest/api/2/search';
      const { value } = await client.list(searchSchema, path, { query: { ...query, ...at } });
      const end = (value.startAt ?? 0) + value.issues.length;
      const isMore = !isCloud && value.issues.length > 0 && end < (value.total ?? 0);
      const next = isCloud ? (value.nextPageToken ?? null) : isMore ? end : null;
      return { records: value.issues.map((issue) => ({ issue, comments: [] })), next };
    },
    describe: ({ issue: { id, key, fields } }) => ({
      id,
      title: fields.summary,
      url: `${settings.site}/browse/${key}`,
      // An issue that moves to another project gets another key.
      version: `${fields.updated} ${key}`,
    }),
    refuse({ issue }) {
      if (settings.restricted === 'include' || (issue.fields.security ?? null) === null) return null;
      return { code: 'restricted', reason: 'The issue has a security level.' };
    },
    async find(id) {
      // Both the cloud and own servers render texts as HTML in this version.
      const path = apiPath`/rest/api/2/issue/${id}`;
      const query = { expand: 'renderedFields,names' };
      const issue = await client.item(issueSchema, path, { query });
      if (issue === null) return null;
      return { issue, comments: settings.comments ? await loadComments(client, `${path}/comment`) : [] };
    },
    content({ issue, comments }) {
      const { path, facts } = readFacts(issue);
      const body = issue.renderedFields?.description ?? '';
      const sections = comments.map((comment) => ({ heading: 'Comment', body: comment }));
      const html = renderArticle({ path, facts, body, sections });
      return { bytes: html, contentType: 'text/html; charset=utf-8' };
    },
    attachments({ issue }) {
      if (!settings.attachments) return [];
      return (issue.fields.attachment ?? []).map((file) => ({
        ...{ id: file.id, name: file.filename, contentType: file.mimeType, bytes: file.size },
        ...{ version: file.created ?? file.id, address: file.content },
      }));
    },
  };
}

async function loadComments(client: ToolClient, path: string): Promise<readonly string[]> {
  const comments = await collectPages(MOST_COMMENT_PAGES, async (cursor) => {
    const startAt = Number(cursor ?? 0);
    const query = { startAt, maxResults: PAGE_SIZE, expand: 'renderedBody', orderBy: 'created' };
    const page = await client.item(commentsSchema, path, { query });
    const values = page?.comments ?? [];
    const end = startAt + values.length;
    return { values, next: values.length > 0 && end < (page?.total ?? 0) ? String(end) : null };
  });
  return comments
    .filter(({ visibility = null, jsdPublic }) => visibility === null && jsdPublic !== false)
    .map(({ renderedBody, body }) => renderedBody ?? body ?? '');
}
