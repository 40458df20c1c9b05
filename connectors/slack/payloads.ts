import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { RawRequest } from '../../core/contract/webhook.ts';
import { lenient, readJson } from '../shared/payload.ts';

/** Of teams, channels, users, bots and apps. */
const id = z.string().regex(/^[\w-]{1,64}$/);
/** Seconds since 1970, and what makes it unique. */
const ts = z.string().regex(/^\d{1,11}\.\d{1,10}$/);

const file = z.object({
  id: lenient(id),
  name: lenient(z.string()),
  mimetype: lenient(z.string()),
  size: lenient(z.int().nonnegative()),
  url_private: lenient(z.string()),
  url_private_download: lenient(z.string()),
});

const attachment = z.object({
  blocks: lenient(z.array(z.unknown())),
  /** Somebody passed a message on; the preview of a link to one is no such thing. */
  is_share: lenient(z.boolean()),
  text: lenient(z.string()),
  files: lenient(z.array(file)),
});

/** A message as it is, as it was and as it became: only where it is may not be missing. */
export const messageSchema = z.object({
  subtype: lenient(z.string()),
  user: lenient(id),
  bot_id: lenient(id),
  app_id: lenient(id),
  user_team: lenient(id),
  team: lenient(id),
  user_profile: lenient(z.object({ real_name: lenient(z.string()), display_name: lenient(z.string()) })),
  bot_profile: lenient(z.object({ name: lenient(z.string()) })),
  text: lenient(z.string()),
  ts: lenient(ts),
  thread_ts: lenient(ts),
  files: lenient(z.array(file)),
  attachments: lenient(z.array(attachment)),
});

const item = z.object({ type: z.string(), channel: lenient(id), ts: lenient(ts) });

/** Of an event only what we use; everything may be missing or different. */
const event = messageSchema.extend({
  type: z.string(),
  channel: lenient(id),
  hidden: lenient(z.boolean()),
  event_ts: lenient(ts),
  deleted_ts: lenient(ts),
  message: lenient(messageSchema),
  previous_message: lenient(messageSchema),
  tab: lenient(z.string()),
  assistant_thread: lenient(
    z.object({ channel_id: lenient(id), thread_ts: lenient(ts), user_id: lenient(id) }),
  ),
  tokens: lenient(z.object({ bot: lenient(z.array(id)) })),
  reaction: lenient(z.string()),
  item: lenient(item),
  item_user: lenient(id),
});

const authorization = z.object({
  enterprise_id: lenient(id),
  team_id: lenient(id),
  user_id: lenient(id),
  is_bot: lenient(z.boolean()),
  is_enterprise_install: lenient(z.boolean()),
});

export const envelopeSchema = z.object({
  type: z.literal('event_callback'),
  team_id: lenient(id),
  enterprise_id: lenient(id),
  api_app_id: lenient(id),
  event_id: lenient(z.string().min(1).max(200)),
  authorizations: lenient(z.array(authorization)),
  event,
});

const action = z.object({
  action_id: z.string(),
  block_id: lenient(z.string()),
  value: lenient(z.string()),
  action_ts: lenient(ts),
});

export const actionsSchema = z.object({
  type: z.literal('block_actions'),
  team: lenient(z.object({ id: lenient(id) })),
  enterprise: lenient(z.object({ id: lenient(id) })),
  is_enterprise_install: lenient(z.boolean()),
  user: z.object({
    id,
    name: lenient(z.string()),
    username: lenient(z.string()),
    team_id: lenient(id),
  }),
  channel: lenient(z.object({ id: lenient(id) })),
  container: lenient(z.object({ channel_id: lenient(id), message_ts: lenient(ts), thread_ts: lenient(ts) })),
  message: lenient(z.object({ ts: lenient(ts), thread_ts: lenient(ts) })),
  actions: z.array(action).min(1),
});

export type SlackEnvelope = z.infer<typeof envelopeSchema>;
export type SlackEvent = z.infer<typeof event>;
export type SlackMessage = z.infer<typeof messageSchema>;
export type SlackActions = z.infer<typeof actionsSchema>;

/** Events come as JSON; what people press and command comes as a form, in which there may be JSON. */
export function readPayload({ headers, body }: Pick<RawRequest, 'headers' | 'body'>): Json | undefined {
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded') !== true)
    return readJson(body);
  const form = new URLSearchParams(new TextDecoder().decode(body));
  const payload = form.get('payload');
  return payload === null ? Object.fromEntries(form) : readJson(new TextEncoder().encode(payload));
}

const payload = z.object({
  type: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  event: z
    .object({ type: z.string(), subtype: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** For the log: `pin_added`, `message.channel_join`, `view_submission`, `/command`. */
export function nativeTypeOf(native: Json): string {
  const { type, command, event } = payload.safeParse(native).data ?? {};
  if (event !== undefined) return [event.type, event.subtype].filter(Boolean).join('.');
  return type || command || 'nothing';
}
