import type { components, operations } from '../../api/api-types.ts';

type Schemas = components['schemas'];
type Counts = operations['countInbox']['responses']['200']['content']['application/json'];

/** A thing that waits for a person. `red`: visitors notice it. `amber`: they soon will. `plain`: it makes answers better. */
export interface Need {
  readonly id: string;
  readonly tone: 'red' | 'amber' | 'plain';
  readonly what:
    | {
        readonly kind: 'channel_refused';
        readonly name: string;
        readonly error: string;
        readonly parts: number;
      }
    | { readonly kind: 'channel_stale'; readonly name: string }
    | { readonly kind: 'channel_unproven'; readonly name: string; readonly done: number; readonly of: number }
    | { readonly kind: 'documents_failed'; readonly count: number }
    | { readonly kind: 'source_held'; readonly name: string }
    | { readonly kind: 'source_needs_you'; readonly name: string; readonly items: number }
    | { readonly kind: 'waiting_late'; readonly count: number }
    | { readonly kind: 'waiting'; readonly count: number }
    | { readonly kind: 'quota'; readonly used: number; readonly quota: number }
    | { readonly kind: 'key_silent'; readonly name: string; readonly days: number }
    | { readonly kind: 'conflicts'; readonly count: number; readonly isMore: boolean }
    | { readonly kind: 'unsure_answers'; readonly count: number };
  /** The place below the workspace where it is mended, with a query. */
  readonly path: string;
}

/** The known facts of a workspace. A part that is not there was not read, or may not be. */
export interface KnownFacts {
  readonly channels?: readonly Schemas['Channel'][] | undefined;
  readonly states?: readonly Schemas['ChannelState'][] | undefined;
  readonly failedDocuments?: number | undefined;
  readonly sources?: readonly Schemas['KnowledgeSource'][] | undefined;
  readonly views?: Counts['views'] | undefined;
  readonly usage?: { readonly messages: number; readonly quota: number | null } | undefined;
  readonly keys?: readonly Schemas['Key'][] | undefined;
  readonly conflicts?: { readonly count: number; readonly isMore: boolean } | undefined;
  readonly now: Date;
}

const SILENT_DAYS = 30;
const dayMs = 86_400_000;
/** The share of the quota from which on it is worth a look. */
const NEAR_QUOTA = 0.8;
const tones = ['red', 'amber', 'plain'] as const;

/** Returns what waits for a person, red first. Pure. */
export function collectNeeds(facts: KnownFacts): readonly Need[] {
  const all = [
    ...channelNeeds(facts),
    ...documentNeeds(facts),
    ...sourceNeeds(facts),
    ...inboxNeeds(facts),
    ...quotaNeeds(facts),
    ...keyNeeds(facts),
  ];
  return all.toSorted((one, other) => tones.indexOf(one.tone) - tones.indexOf(other.tone));
}

function channelNeeds({ channels = [], states = [] }: KnownFacts): readonly Need[] {
  return states.flatMap((state): readonly Need[] => {
    const channel = channels.find(({ id }) => id === state.channel_id);
    if (channel === undefined) return [];
    const { id, name } = channel;
    const path = `channels/${id}`;
    if (state.state === 'refused') {
      const error = channel.last_error ?? '';
      const what = { kind: 'channel_refused', name, error, parts: state.waiting_parts } as const;
      return [{ id, tone: 'red', what, path }];
    }
    if (state.state === 'stale') return [{ id, tone: 'red', what: { kind: 'channel_stale', name }, path }];
    if (state.state !== 'unproven') return [];
    const what = { kind: 'channel_unproven', name, done: state.checks_done, of: state.checks_total } as const;
    return [{ id, tone: 'amber', what, path }];
  });
}

function documentNeeds({ failedDocuments = 0, conflicts }: KnownFacts): readonly Need[] {
  const needs: Need[] = [];
  if (failedDocuments > 0) {
    const what = { kind: 'documents_failed', count: failedDocuments } as const;
    needs.push({ id: 'documents', tone: 'red', what, path: 'knowledge/documents?status=failed' });
  }
  if (conflicts !== undefined && conflicts.count > 0) {
    needs.push({
      ...{ id: 'conflicts', tone: 'plain', what: { kind: 'conflicts', ...conflicts } },
      path: 'knowledge/conflicts',
    });
  }
  return needs;
}

function sourceNeeds({ sources = [] }: KnownFacts): readonly Need[] {
  return sources.flatMap(({ id, name, state, troubles }): readonly Need[] => {
    const path = `knowledge/sources/${id}`;
    if (state === 'held') return [{ id, tone: 'amber', what: { kind: 'source_held', name }, path }];
    if (state !== 'needs_you') return [];
    const items = troubles.reduce((sum, trouble) => sum + trouble.items, 0);
    return [{ id, tone: 'amber', what: { kind: 'source_needs_you', name, items }, path }];
  });
}

function inboxNeeds({ views }: KnownFacts): readonly Need[] {
  if (views === undefined) return [];
  const { sla_at_risk: late, waiting, low_confidence: unsure } = views;
  const needs: readonly Need[] = [
    { id: 'late', tone: 'red', what: { kind: 'waiting_late', count: late }, path: 'inbox?view=sla_at_risk' },
    { id: 'waiting', tone: 'amber', what: { kind: 'waiting', count: waiting }, path: 'inbox?view=waiting' },
    {
      ...{ id: 'unsure', tone: 'plain', what: { kind: 'unsure_answers', count: unsure } },
      path: 'inbox?view=low_confidence',
    },
  ];
  return needs.filter(({ what }) => 'count' in what && what.count > 0);
}

function quotaNeeds({ usage }: KnownFacts): readonly Need[] {
  if (usage === undefined || usage.quota === null) return [];
  const { messages: used, quota } = usage;
  if (used < quota * NEAR_QUOTA) return [];
  const tone = used >= quota ? 'red' : 'amber';
  return [{ id: 'quota', tone, what: { kind: 'quota', used, quota }, path: 'settings/usage' }];
}

function keyNeeds({ keys = [], now }: KnownFacts): readonly Need[] {
  return keys.flatMap((key): readonly Need[] => {
    const since = new Date(key.last_used_at ?? key.created_at);
    const days = Math.floor((now.getTime() - since.getTime()) / dayMs);
    if (days < SILENT_DAYS || key.revoked_at !== null) return [];
    return [
      {
        id: key.id,
        tone: 'plain',
        what: { kind: 'key_silent', name: key.name, days },
        path: 'settings/keys',
      },
    ];
  });
}
