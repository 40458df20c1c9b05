import type { WalkFile } from '../walk/tool-world.ts';
import type { ToolAnswer, ToolCall, ToolStandIn } from './tool-bench.ts';

interface Issue {
  readonly summary: string;
  readonly html: string;
  readonly updated: string;
  readonly key: string;
  readonly isSecure?: boolean;
  readonly comments?: readonly { readonly body: string; readonly jsdPublic?: boolean }[];
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly names?: Readonly<Record<string, string>>;
}

/**
 * A site, in the cloud by https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/ (search/jql),
 * /rest/v2/api-group-issues/, /rest/v2/api-group-issue-comments/ and /rest/v3/api-group-issue-attachments/, or an own server
 * by https://developer.atlassian.com/server/jira/platform/rest/ (search with startAt).
 */
export class JiraStandIn implements ToolStandIn {
  readonly origin: string;
  readonly #isCloud: boolean;
  readonly issues = new Map<string, Issue>();
  readonly files = new Map<string, WalkFile & { readonly issue: string }>();
  /** Issues that the account may not open. */
  readonly forbidden = new Set<string>();
  pageSize = 2;

  constructor({ isCloud = true } = {}) {
    this.#isCloud = isCloud;
    this.origin = isCloud ? 'https://acme.atlassian.net' : 'https://jira.acme.example';
  }

  set(id: string, more: Partial<Issue> = {}): void {
    const issue = { summary: `Issue ${id}`, html: '<p>Text</p>', updated: '2026-01-01', key: `HELP-${id}` };
    this.issues.set(id, { ...issue, ...this.issues.get(id), ...more });
  }

  respond({ path, query, headers }: ToolCall): ToolAnswer {
    const basic = `Basic ${Buffer.from('ann@acme.example:right-token').toString('base64')}`;
    if (headers.get('authorization') !== (this.#isCloud ? basic : 'Bearer right-token')) {
      return {
        status: 401,
        json: { errorMessages: ['Client must be authenticated to access this resource.'] },
      };
    }
    const [, , version, resource, id = '', part] = path;
    if (resource === 'search') {
      if (this.#isCloud !== (version === '3' && id === 'jql'))
        return { status: 410, json: { errorMessages: ['Gone'] } };
      return this.#search(query);
    }
    if (resource === 'attachment') return this.#download(path.at(-1) ?? '');
    if (resource !== 'issue') return notFound;
    if (this.forbidden.has(id)) return { status: 403, json: { errorMessages: ['No permission'] } };
    const issue = this.issues.get(id);
    if (issue === undefined) return notFound;
    return part === 'comment' ? this.#comments(issue, query) : { json: this.#view(id, issue) };
  }

  #search(query: URLSearchParams): ToolAnswer {
    if (query.get('jql')?.startsWith('project in ("HELP")') !== true)
      return { status: 400, json: { errorMessages: ['Bad JQL'] } };
    const from = Number(query.get(this.#isCloud ? 'nextPageToken' : 'startAt') ?? 0);
    const all = [...this.issues];
    const issues = all.slice(from, from + this.pageSize).map(([id, issue]) => {
      const { key, fields } = this.#view(id, issue);
      const { summary, updated, security } = fields;
      return { id, key, fields: { summary, updated, security, project: { name: 'Help desk' } } };
    });
    const to = from + this.pageSize;
    if (!this.#isCloud)
      return { json: { issues, startAt: from, maxResults: this.pageSize, total: all.length } };
    return {
      json: { issues, isLast: to >= all.length, ...(to < all.length && { nextPageToken: String(to) }) },
    };
  }

  #view(id: string, { summary, html, updated, key, isSecure, fields, names }: Issue) {
    const attachment = [...this.files]
      .filter(([, file]) => file.issue === id)
      .map(([fileId, { name, type, bytes }]) => ({
        ...{ id: fileId, filename: name, mimeType: type, size: bytes.byteLength, created: '2026-01-01' },
        content: `${this.origin}/rest/api/3/attachment/content/${fileId}`,
      }));
    return {
      ...{ id, key, renderedFields: { description: html }, names: names ?? {} },
      fields: {
        ...{ summary, updated, attachment, security: isSecure === true ? { id: '1', name: 'Staff' } : null },
        ...{ project: { name: 'Help desk' }, customfield_1: '0|i0007:', ...fields },
      },
    };
  }

  #comments({ comments = [] }: Issue, query: URLSearchParams): ToolAnswer {
    const from = Number(query.get('startAt'));
    const shown = comments
      .slice(from, from + 50)
      .map(({ body, ...more }) => ({ body: 'raw', renderedBody: body, ...more }));
    return { json: { comments: shown, startAt: from, maxResults: 50, total: comments.length } };
  }

  #download(id: string): ToolAnswer {
    const file = this.files.get(id);
    return file === undefined ? notFound : { bytes: file.bytes, headers: { 'content-type': file.type } };
  }
}

const notFound = {
  status: 404,
  json: { errorMessages: ['Issue does not exist or you do not have permission to see it.'] },
};
