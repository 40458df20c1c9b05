import { LRUCache } from 'lru-cache';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Facets, Introduction } from '../../core/contract/facets.ts';
import { addressOf } from './address.ts';
import { callSlack } from './call-slack.ts';
import type { SlackAccount } from './manifest.ts';
import { refusalError } from './refusal.ts';

type Introduce = NonNullable<Facets<SlackAccount['credentials'], SlackAccount['settings']>['introduce']>;

interface Kept {
  readonly introduction: Introduction;
  readonly until: number;
}

const NOBODY: Introduction = { name: null, email: null, language: null };
const UNKNOWN = new Set(['user_not_found', 'user_not_visible']);
/** Names change, and scopes are added. */
const KEPT_MS = 3_600_000;
const MOST_KEPT = 20_000;

const kept = new LRUCache<string, Kept>({ max: MOST_KEPT });

/** Who somebody of a team is. Where the app may not ask, or asks too often, nobody is asked for a while. */
export const introduce: Introduce = async ({ id, to }, account, tools) => {
  const now = tools.now().getTime();
  const everybody = account.id;
  const own = `${account.id}/${id}`;
  for (const key of [own, everybody]) {
    const known = kept.get(key);
    if (known !== undefined && known.until > now) return known.introduction;
  }
  const keep = (key: string, introduction: Introduction, forMs = KEPT_MS) => {
    kept.set(key, { introduction, until: now + forMs });
    return introduction;
  };
  try {
    const told = await ask({ id, team: addressOf(to).team }, account, tools);
    if (told.ok) return keep(own, readIntroduction(told.result.user));
    const { code } = told.refusal;
    if (UNKNOWN.has(code)) return keep(own, NOBODY);
    if (code !== 'missing_scope') throw refusalError(told.refusal);
    tools.log.warn({ channel: account.id }, 'the app may not ask who people are: it needs users:read');
    return keep(everybody, NOBODY);
  } catch (error) {
    if (error instanceof ConnectorError && error.advice.retry === 'after')
      keep(everybody, NOBODY, error.advice.afterMs);
    throw error;
  }
};

function ask(
  { id, team }: { readonly id: string; readonly team: string },
  account: SlackAccount,
  tools: Tools,
) {
  const asked = { user: id, include_locale: true };
  return callSlack({ method: 'users.info', team, run: (client) => client.users.info(asked) }, account, tools);
}

interface User {
  readonly real_name?: string;
  readonly locale?: string;
  readonly is_email_confirmed?: boolean;
  readonly profile?: { readonly real_name?: string; readonly display_name?: string; readonly email?: string };
}

/** The address is told to apps that have users:read.email too. */
function readIntroduction({ real_name, locale, profile, is_email_confirmed }: User = {}): Introduction {
  const language = locale?.split('-', 1)[0] ?? '';
  return {
    name: profile?.real_name || real_name || profile?.display_name || null,
    email: is_email_confirmed === false ? null : profile?.email || null,
    language: /^[a-z]{2}$/.test(language) ? language : null,
  };
}
