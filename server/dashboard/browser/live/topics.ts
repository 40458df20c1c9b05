import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { LiveFrame } from './frames.ts';

/** The queries that a frame makes stale, by the beginning of their keys. Those on the screen are read again at once. */
function staleKeys(workspace: string, frame: LiveFrame): readonly QueryKey[] {
  switch (frame.event) {
    case 'conversation':
      return [
        ['conversations', workspace],
        ['conversation', workspace, frame.id],
      ];
    case 'counts':
      return [['conversation-counts', workspace]];
    case 'draft': {
      const head: QueryKey = ['conversation', workspace, frame.id, 'head'];
      return frame.change === 'changed' ? [head] : [head, ['conversations', workspace]];
    }
    case 'mention':
      return [['mentions', workspace]];
    case 'document':
      return [['documents', workspace]];
    case 'channel':
      return [['channels', workspace]];
    case 'webhook':
      return [['webhooks', workspace, frame.id]];
    case 'setting':
      return settingKeys(workspace, frame.change);
    default:
      return [];
  }
}

/** Returns the queries by the first word of an action of the audit log. */
function settingKeys(workspace: string, action: string): readonly QueryKey[] {
  const [word = ''] = action.split('_', 1);
  const audit: QueryKey = ['audit', workspace];
  switch (word) {
    case 'workspace':
      return [audit, ['workspace', workspace], ['me']];
    case 'member':
    case 'invitation':
    case 'person':
      return [audit, ['members', workspace], ['invitations', workspace]];
    default:
      return [audit, [`${word}s`, workspace]];
  }
}

/** Makes everything stale that the stream reports, for when changes may have been missed. */
const topics = [
  'conversations',
  'conversation',
  'conversation-counts',
  'mentions',
  'documents',
  'channels',
  'webhooks',
  'workspace',
  'snippets',
  'tags',
  'members',
  'invitations',
  'keys',
  'skills',
  'audit',
  'changes',
];

/** Milliseconds in which changes are gathered: a document that is indexed changes many times a second. */
const gatherMs = 250;

/** Reads queries of a workspace again, each at most four times a second. */
export class Refetcher {
  readonly #client: QueryClient;
  readonly #workspace: string;
  readonly #stale = new Map<string, QueryKey>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at = Number.NEGATIVE_INFINITY;

  constructor(client: QueryClient, workspace: string) {
    this.#client = client;
    this.#workspace = workspace;
  }

  take(frame: LiveFrame): void {
    this.#add(staleKeys(this.#workspace, frame));
  }

  all(): void {
    this.#add(topics.map((topic) => [topic, this.#workspace]));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #add(keys: readonly QueryKey[]): void {
    for (const key of keys) this.#stale.set(JSON.stringify(key), key);
    if (this.#stale.size === 0 || this.#timer !== undefined) return;
    const waitMs = Math.max(20, this.#at + gatherMs - performance.now());
    this.#timer = setTimeout(() => this.#flush(), waitMs);
  }

  #flush(): void {
    this.#timer = undefined;
    this.#at = performance.now();
    const keys = [...this.#stale.values()];
    this.#stale.clear();
    for (const queryKey of keys) void this.#client.invalidateQueries({ queryKey });
  }
}
