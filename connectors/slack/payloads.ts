import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { RawRequest } from '../../core/contract/webhook.ts';
import { optionalField, parseJson } from '../shared/http.ts';

/** The id of a team, channel, user, bot or app. */
const id = z.string().regex(/^[\w-]{1,64}$/);
/** Seconds since 1970 with a fraction that makes the value unique in its channel. */
const ts = z.string().regex(/^\d{1,11}\.\d{1,10}$/);

const file = z.object({
  id: optionalField(id),
  name: optionalField(z.string()),
  mimetype: optionalField(z.string()),
  size: optionalField(z.int().nonnegative()),
  /** Of audio and video clips. */
  duration_ms: optionalField(z.number()),
  url_private: optionalField(z.string()),
  url_private_download: optionalField(z.string()),
});

const attachment = z.object({
  blocks: optionalField(z.array(z.unknown())),
  /** True for a forwarded message; the preview of a link to a message is not one. */
  is_share: optionalField(z.boolean()),
  text: optionalField(z.string()),
  files: optionalField(z.array(file)),
});

/** A message: a current one, and the old and new version inside a change. All fields may be missing. */
export const messageSchema = z.object({
  subtype: optionalField(z.string()),
  user: optionalField(id),
  bot_id: optionalField(id),
  app_id: optionalField(id),
  user_team: optionalField(id),
  team: optionalField(id),
  user_profile: optionalField(
    z.object({ real_name: optionalField(z.string()), display_name: optionalField(z.string()) }),
  ),
  bot_profile: optionalField(z.object({ name: optionalField(z.string()) })),
  text: optionalField(z.string()),
  ts: optionalField(ts),
  thread_ts: optionalField(ts),
  files: optionalField(z.array(file)),
  attachments: optionalField(z.array(attachment)),
});

const item = z.object({ type: z.string(), channel: optionalField(id), ts: optionalField(ts) });

/** The used fields of an event. A missing field, or one of another type, becomes null. */
const event = messageSchema.extend({
  type: z.string(),
  channel: optionalField(id),
  hidden: optionalField(z.boolean()),
  event_ts: optionalField(ts),
  deleted_ts: optionalField(ts),
  message: optionalField(messageSchema),
  previous_message: optionalField(messageSchema),
  tab: optionalField(z.string()),
  assistant_thread: optionalField(
    z.object({ channel_id: optionalField(id), thread_ts: optionalField(ts), user_id: optionalField(id) }),
  ),
  tokens: optionalField(z.object({ bot: optionalField(z.array(id)) })),
  reaction: optionalField(z.string()),
  item: optionalField(item),
  item_user: optionalField(id),
});

const authorization = z.object({
  enterprise_id: optionalField(id),
  team_id: optionalField(id),
  user_id: optionalField(id),
  is_bot: optionalField(z.boolean()),
  is_enterprise_install: optionalField(z.boolean()),
});

export const envelopeSchema = z.object({
  type: z.literal('event_callback'),
  team_id: optionalField(id),
  enterprise_id: optionalField(id),
  api_app_id: optionalField(id),
  event_id: optionalField(z.string().min(1).max(200)),
  authorizations: optionalField(z.array(authorization)),
  event,
});

const action = z.object({
  action_id: z.string(),
  block_id: optionalField(z.string()),
  value: optionalField(z.string()),
  action_ts: optionalField(ts),
});

export const actionsSchema = z.object({
  type: z.literal('block_actions'),
  team: optionalField(z.object({ id: optionalField(id) })),
  enterprise: optionalField(z.object({ id: optionalField(id) })),
  is_enterprise_install: optionalField(z.boolean()),
  user: z.object({
    id,
    name: optionalField(z.string()),
    username: optionalField(z.string()),
    team_id: optionalField(id),
  }),
  channel: optionalField(z.object({ id: optionalField(id) })),
  container: optionalField(
    z.object({ channel_id: optionalField(id), message_ts: optionalField(ts), thread_ts: optionalField(ts) }),
  ),
  message: optionalField(z.object({ ts: optionalField(ts), thread_ts: optionalField(ts) })),
  actions: z.array(action).min(1),
});

export type SlackEnvelope = z.infer<typeof envelopeSchema>;
export type SlackEvent = z.infer<typeof event>;
export type SlackMessage = z.infer<typeof messageSchema>;
export type SlackActions = z.infer<typeof actionsSchema>;

/** Parses a request body: JSON for events; a form for commands and actions, with JSON in its field `payload` for actions. */
export function parsePayload({ headers, body }: Pick<RawRequest, 'headers' | 'body'>): Json | undefined {
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded') !== true)
    return parseJson(body);
  const form = new URLSearchParams(new TextDecoder().decode(body));
  const payload = form.get('payload');
  return payload === null ? Object.fromEntries(form) : parseJson(new TextEncoder().encode(payload));
}

const payload = z.object({
  type: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  event: z
    .object({ type: z.string(), subtype: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** Returns the type for the log: `pin_added`, `message.channel_join`, `view_submission`, `/command`. */
export function nativeTypeName(native: Json): string {
  const { type, command, event } = payload.safeParse(native).data ?? {};
  if (event !== undefined) return [event.type, event.subtype].filter(Boolean).join('.');
  return type || command || 'nothing';
}
