import type { SlackEnvelope, SlackMessage } from './event-schema.ts';
import type { SlackAccount } from './manifest.ts';

type Author = Pick<SlackMessage, 'user' | 'bot_id' | 'app_id'>;

/** Who we are in a team: what was learned when the account was added, else what Slack says with each event. */
interface Bot {
  /** The user that people mention. */
  readonly userIds: ReadonlySet<string>;
  wrote(author: Author): boolean;
}

export function botOf(
  { authorizations, api_app_id }: Pick<SlackEnvelope, 'authorizations' | 'api_app_id'>,
  { profile }: SlackAccount,
): Bot {
  const told = (authorizations ?? []).flatMap(({ is_bot, user_id }) =>
    is_bot === true && user_id ? [user_id] : [],
  );
  const own = typeof profile.user_id === 'string' ? [profile.user_id] : told;
  const userIds = new Set(own);
  return {
    userIds,
    wrote: ({ user, bot_id, app_id }) =>
      (user !== null && userIds.has(user)) ||
      (bot_id !== null && bot_id === profile.bot_id) ||
      (app_id !== null && app_id === api_app_id),
  };
}
