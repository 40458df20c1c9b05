import { z } from 'zod';

/** Slack's own limits, as its reference states them. */
const MARKDOWN_CHARS = 12_000;
const BLOCKS = 50;

const blockId = { block_id: z.string().max(255).optional() };
const plain = z.strictObject({
  type: z.literal('plain_text'),
  text: z.string().min(1).max(75),
  emoji: z.boolean().optional(),
});
const mrkdwn = z.strictObject({
  type: z.literal('mrkdwn'),
  text: z.string().min(1).max(3_000),
  verbatim: z.boolean().optional(),
});
const actionId = z.string().min(1).max(255);
const button = z.strictObject({
  type: z.literal('button'),
  action_id: actionId,
  text: plain,
  value: z.string().max(2_000),
});
const opinion = z.strictObject({
  text: plain,
  value: z.string().min(1).max(2_000),
  accessibility_label: z.string().max(75),
});
const feedback = z.strictObject({
  type: z.literal('feedback_buttons'),
  action_id: actionId,
  positive_button: opinion,
  negative_button: opinion,
});

const block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('markdown'), text: z.string().min(1).max(MARKDOWN_CHARS), ...blockId }),
  z.strictObject({ type: z.literal('context'), elements: z.array(mrkdwn).min(1).max(10), ...blockId }),
  z.strictObject({
    type: z.literal('context_actions'),
    elements: z.array(feedback).min(1).max(5),
    ...blockId,
  }),
  z.strictObject({ type: z.literal('actions'), elements: z.array(button).min(1).max(25), ...blockId }),
]);

const blocksSchema = z.array(block).max(BLOCKS);

export type CheckedBlock = z.infer<typeof block>;

/** Returns the fault of blocks, by Slack's limits; null if there is none. */
export function faultOfBlocks(blocks: unknown): string | null {
  const read = blocksSchema.safeParse(blocks);
  if (!read.success) return z.prettifyError(read.error);
  const markdown = read.data.reduce(
    (sum, each) => sum + (each.type === 'markdown' ? each.text.length : 0),
    0,
  );
  if (markdown > MARKDOWN_CHARS) return `more than ${MARKDOWN_CHARS} characters of Markdown in all`;
  const ids = read.data.flatMap((each) =>
    each.type === 'actions' || each.type === 'context_actions'
      ? each.elements.map(({ action_id }) => action_id)
      : [],
  );
  return new Set(ids).size === ids.length ? null : 'two elements of one name';
}

/** Returns what would notify people or break a link in a sent text; null if nothing does. */
export function faultOfText(text: string): string | null {
  const call = /<[@#!][^>\n]*>/.exec(text);
  if (call !== null) return `calls somebody: ${call[0]}`;
  const link = /\]\(\s*<?https?:\/\/[^\s()]*\|/.exec(text);
  return link === null ? null : `breaks a link: ${link[0]}`;
}

const channel = z.string().regex(/^[CDG][A-Z0-9]{2,}$/);
const ts = z.string().regex(/^\d{10}\.\d{6}$/);
const text = z.string().max(40_000);
const markdown_text = z.string().min(1).max(MARKDOWN_CHARS);
const team_id = z
  .string()
  .regex(/^T\w+$/)
  .optional();
const blocks = z.string().optional();
const flag = z.enum(['true', 'false']).optional();
const reading = {
  channel,
  oldest: ts.optional(),
  latest: ts.optional(),
  limit: z.coerce.number().int().min(1).max(999).optional(),
  cursor: z.string().min(1).optional(),
  include_all_metadata: flag,
  team_id,
};

/** The arguments of a method, as they arrive in a form. Slack ignores unknown ones, and this stand-in refuses them. */
const calls: Readonly<Record<string, z.ZodType>> = {
  // Slack's own framework names its token twice.
  'auth.test': z.strictObject({ token: z.string().optional() }),
  'apps.connections.open': z.strictObject({}),
  'oauth.v2.access': z.strictObject({
    client_id: z.string(),
    client_secret: z.string(),
    code: z.string(),
    redirect_uri: z.url(),
  }),
  'chat.postMessage': z.strictObject({
    channel,
    text,
    thread_ts: ts.optional(),
    blocks,
    unfurl_links: flag,
    unfurl_media: flag,
    metadata: z
      .string()
      .transform((text): unknown => JSON.parse(text))
      .pipe(z.strictObject({ event_type: z.string().min(1), event_payload: z.record(z.string(), z.json()) }))
      .optional(),
    team_id,
  }),
  'chat.update': z.strictObject({ channel, ts, text, blocks, team_id }),
  'chat.delete': z.strictObject({ channel, ts, team_id }),
  'chat.startStream': z
    .strictObject({
      channel,
      thread_ts: ts,
      markdown_text: markdown_text.optional(),
      recipient_user_id: z
        .string()
        .regex(/^[UW]\w+$/)
        .optional(),
      recipient_team_id: z
        .string()
        .regex(/^[TE]\w+$/)
        .optional(),
      team_id,
    })
    .refine((call) => call.channel.startsWith('D') || (call.recipient_user_id && call.recipient_team_id), {
      message: 'missing_recipient_user_id',
    }),
  'chat.appendStream': z.strictObject({ channel, ts, markdown_text, team_id }),
  'chat.stopStream': z.strictObject({
    channel,
    ts,
    markdown_text: markdown_text.optional(),
    blocks,
    team_id,
  }),
  'conversations.replies': z.strictObject({ ...reading, ts }),
  'conversations.history': z.strictObject(reading),
  'users.info': z.strictObject({
    user: z.string().regex(/^[UW]\w+$/),
    include_locale: flag,
    team_id,
  }),
  'assistant.threads.setStatus': z.strictObject({
    channel_id: channel,
    thread_ts: ts,
    status: z.string().max(50),
    loading_messages: z.string().optional(),
    team_id,
  }),
  'assistant.threads.setSuggestedPrompts': z.strictObject({
    channel_id: channel,
    thread_ts: ts.optional(),
    prompts: z.string(),
    team_id,
  }),
};

const prompts = z
  .array(z.strictObject({ title: z.string().min(1), message: z.string().min(1) }))
  .min(1)
  .max(4);

/** Returns the fault of a call, in words; null if there is none. */
export function faultOfCall(method: string, params: Readonly<Record<string, string>>): string | null {
  const read = calls[method]?.safeParse(params);
  if (read === undefined) return 'unknown method';
  if (!read.success) return z.prettifyError(read.error);
  if (params.prompts !== undefined && !prompts.safeParse(JSON.parse(params.prompts)).success)
    return 'prompts';
  const wrong = /<(?![!@#]?[^<>\n]*>)/.test(params.text ?? '') ? 'text is not escaped' : null;
  return wrong ?? faultOfText(`${params.text ?? ''}\n${params.markdown_text ?? ''}`);
}

export function isKnownMethod(method: string): boolean {
  return Object.hasOwn(calls, method);
}
