import { z } from 'zod';
import type { NamedItem } from '../notices/source-notices.ts';
import { githubKind } from '../tools/repositories/github.ts';
import { isSameText, isStale, parseBody, type SourceHook, sign } from './source-hook.ts';

/** More are read by a whole run, which compares all files with one request. */
const MOST_FILES = 500;
/** A push names no more commits. https://docs.github.com/en/webhooks/webhook-events-and-payloads#push */
const MOST_COMMITS = 2_048;

const commitSchema = z.object({
  added: z.array(z.string()).default([]),
  modified: z.array(z.string()).default([]),
  removed: z.array(z.string()).default([]),
});
const pushSchema = z.object({
  ref: z.string(),
  forced: z.boolean().default(false),
  created: z.boolean().default(false),
  deleted: z.boolean().default(false),
  commits: z.array(commitSchema),
  repository: z.object({
    ...{ full_name: z.string(), default_branch: z.string() },
    // Seconds. In a few events it is a date.
    pushed_at: z.union([z.number(), z.string()]),
  }),
});

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
const github: SourceHook = {
  secretFrom: 'parley',
  verify({ headers, body }, secret) {
    const given = headers['x-hub-signature-256'] ?? '';
    const signature = `sha256=${sign(secret, 'hex', body)}`;
    return isSameText(given, signature) ? signature : null;
  },
  read(call, fields) {
    const { data: push } = pushSchema.safeParse(parseBody(call));
    const settings = githubKind.settings.safeParse(fields).data;
    if (push === undefined || settings === undefined || push.deleted) return { kind: 'ignored' };
    const { repository, branch = push.repository.default_branch } = settings;
    const { full_name: name, pushed_at: at } = push.repository;
    const time = new Date(typeof at === 'number' ? at * 1_000 : at);
    const isOurs = name.toLowerCase() === repository.toLowerCase() && push.ref === `refs/heads/${branch}`;
    // The number of a delivery is not signed, so the time of the push is what tells an old one.
    if (!isOurs || isStale(time, call.now)) return { kind: 'ignored' };
    const isCut = push.commits.length === 0 || push.commits.length >= MOST_COMMITS;
    if (push.forced || push.created || isCut) return { kind: 'everything' };
    const files = new Map<string, NamedItem>();
    for (const { added, modified, removed } of push.commits) {
      for (const path of [...added, ...modified]) files.set(path, { name: `file:${path}` });
      for (const path of removed) files.set(path, { name: `file:${path}`, isDeletion: true });
    }
    return files.size > MOST_FILES ? { kind: 'everything' } : { kind: 'changed', items: [...files.values()] };
  },
};

/** A call that is older was sent again by a stranger: the tool signs each attempt anew. */
const LONGEST_WAY_MS = 5 * 60_000;

const articleSchema = z.object({
  type: z.enum(['zen:event-type:article.published', 'zen:event-type:article.unpublished']),
  detail: z.object({ id: z.union([z.string(), z.number()]) }),
});

/** https://developer.zendesk.com/documentation/webhooks/verifying/ */
const zendesk: SourceHook = {
  secretFrom: 'person',
  verify({ headers, body, now }, secret) {
    const time = headers['x-zendesk-webhook-signature-timestamp'] ?? '';
    const signature = sign(secret, 'base64', time, body);
    const isRecent = Math.abs(now.getTime() - Date.parse(time)) <= LONGEST_WAY_MS;
    const isSigned = isSameText(headers['x-zendesk-webhook-signature'] ?? '', signature);
    return isSigned && isRecent ? signature : null;
  },
  read(call) {
    const { data: event } = articleSchema.safeParse(parseBody(call));
    if (event === undefined) return { kind: 'ignored' };
    const isDeletion = event.type.endsWith('.unpublished');
    return { kind: 'changed', items: [{ name: String(event.detail.id), isDeletion }] };
  },
};

const pageEventSchema = z.object({
  type: z.enum([
    'page.created',
    'page.content_updated',
    'page.properties_updated',
    'page.moved',
    'page.undeleted',
    'page.deleted',
  ]),
  timestamp: z.string(),
  entity: z.object({ id: z.string(), type: z.literal('page') }),
});
const tokenSchema = z.object({ verification_token: z.string().min(16).max(500) });

/** https://developers.notion.com/reference/webhooks */
const notion: SourceHook = {
  secretFrom: 'tool',
  findSecret: (call) => tokenSchema.safeParse(parseBody(call)).data?.verification_token ?? null,
  verify({ headers, body }, secret) {
    const signature = `sha256=${sign(secret, 'hex', body)}`;
    return isSameText(headers['x-notion-signature'] ?? '', signature) ? signature : null;
  },
  read(call) {
    const { data: event } = pageEventSchema.safeParse(parseBody(call));
    if (event === undefined || isStale(new Date(event.timestamp), call.now)) return { kind: 'ignored' };
    return {
      kind: 'changed',
      items: [{ name: event.entity.id, isDeletion: event.type === 'page.deleted' }],
    };
  },
};

const hooks: Readonly<Record<string, SourceHook>> = { github, zendesk, notion };

/** Returns the webhook of a kind of sources, or null if its tool has none that is understood. */
export function findHook(kind: string): SourceHook | null {
  return hooks[kind] ?? null;
}
