/** Whether and when a caller should try again: the third column of every entry. */
type RetryAdvice = 'never' | 'after' | 'backoff';

interface ErrorEntry {
  readonly status: number;
  readonly text: string;
  readonly retry: RetryAdvice;
}

const entry = (status: number, text: string, retry: RetryAdvice = 'never'): ErrorEntry => ({
  status,
  text,
  retry,
});

/** A field whose JSON type or value is wrong: one code a field, so that callers can branch on it. */
const invalid = (field: string, takes: string): ErrorEntry => entry(422, `${field} ${takes}.`);

/**
 * Every error this service answers with. The key is the public `code`; `status`, `text` (the default `detail`)
 * and `retry` belong to it. Nothing else may answer an error.
 */
export const errorCatalogue = {
  missing_field: entry(400, 'A required field is missing.'),
  invalid_workspace_id: entry(400, 'workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.'),
  message_too_long: entry(400, 'query is longer than 4,000 characters.'),
  invalid_json: entry(400, 'The body is not valid JSON.'),
  invalid_multipart: entry(400, 'The multipart body could not be read.'),
  malformed_request: entry(400, 'The request is not valid HTTP, or its address is not a valid one.'),
  missing_auth: entry(401, 'Send the header Authorization: Bearer <API_KEY>.'),
  malformed_auth: entry(401, 'The Authorization header must be exactly: Bearer <API_KEY>.'),
  invalid_key: entry(401, 'This key was revoked or never existed.'),
  expired_key: entry(401, 'This key has expired.'),
  invalid_session: entry(401, 'This session is over, or never was: begin a new one.'),
  invalid_signature: entry(
    401,
    'This was not sent by the platform of the channel: its signature does not fit.',
  ),
  workspace_access_denied: entry(403, "This workspace belongs to another owner than the key's."),
  feature_not_in_plan: entry(403, "This workspace's plan has no API access: it takes Starter or above."),
  verification_required: entry(
    403,
    'Identity verification is required: pass user.hash or verification_token.',
  ),
  install_in_other_browser: entry(403, 'This was begun in another browser: open the link again.'),
  install_declined: entry(403, 'The platform was not allowed to let us in.'),
  attachments_off: entry(403, 'Files are not taken here: see the setting attachments of the channel.'),
  origin_not_allowed: entry(403, 'This origin may not call this address: see the setting allowed_domains.'),
  workspace_not_found: entry(404, 'There is no such workspace.'),
  conversation_not_found: entry(404, 'There is no such conversation.'),
  message_not_found: entry(404, 'There is no such answer in this conversation.'),
  attachment_not_found: entry(404, 'There is no such file, or its platform does not have it any more.'),
  document_not_found: entry(404, 'There is no such document.'),
  key_not_found: entry(404, 'There is no such key.'),
  webhook_not_found: entry(404, 'There is no such webhook.'),
  delivery_not_found: entry(404, 'There is no such delivery of this webhook.'),
  skill_not_found: entry(404, 'There is no such HTTP skill.'),
  channel_not_found: entry(404, 'There is no such channel.'),
  queue_not_found: entry(404, 'Only the queues answer and deliver keep what they gave up.'),
  owner_not_found: entry(404, 'There is no such owner.'),
  route_not_found: entry(404, 'There is no such route.'),
  method_not_allowed: entry(405, 'This route does not take that method: see the Allow header.'),
  install_link_not_found: entry(404, 'This link was used, has expired or never was: ask for a new one.'),
  receive_timeout: entry(408, 'The request did not arrive in time.'),
  duplicate_request_id: entry(409, 'This Idempotency-Key is in use or was used with another body.'),
  slug_taken: entry(409, 'Another page has this slug: choose another one.'),
  webhook_disabled: entry(409, 'This webhook is disabled: enable it first.'),
  skill_name_taken: entry(409, 'This workspace has an HTTP skill of that name.'),
  too_many_skills: entry(
    409,
    'This workspace has 20 HTTP skills, the most that it can have: delete one first.',
  ),
  channel_unreachable: entry(
    409,
    'Nothing can be sent there: the channel is switched off, or the visitor has blocked it or asked us not to write.',
  ),
  channel_window_closed: entry(
    409,
    'The visitor wrote too long ago: until he writes again, his platform takes nothing for him.',
  ),
  tenant_taken: entry(409, 'That team has a channel under this one already.'),
  app_not_installable: entry(
    409,
    'The channel has no app that can be installed: give it the credentials that this takes.',
  ),
  no_public_address: entry(409, 'PUBLIC_URL is absent: the platform has no address to send people back to.'),
  encryption_key_configured: entry(
    409,
    'ENCRYPTION_KEY is set: put the new key there and the former one in ENCRYPTION_KEY_PREVIOUS, restart every process, then reseal.',
  ),
  encryption_key_shared: entry(
    409,
    'Other processes may use the key in DATA_DIR: set ENCRYPTION_KEY to the new key and ENCRYPTION_KEY_PREVIOUS to the one in DATA_DIR/encryption-key, restart every process, then reseal.',
  ),
  no_public_token: entry(409, 'Only a widget channel has a public token.'),
  key_expired: entry(409, 'This key has expired: create a new one.'),
  plan_downgrade_blocked: entry(409, 'The plan cannot be lowered in the middle of a cycle.'),
  too_many_files: entry(409, 'No more files of visitors are kept for this workspace.'),
  payload_too_large: entry(413, 'The body is too large.'),
  unsupported_media_type: entry(415, 'The content type is not supported here.'),
  invalid_body: invalid('The body', 'must be a JSON object'),
  invalid_query: invalid('query', 'must be a string'),
  invalid_top_k: invalid('top_k', 'must be an integer from 1 to 20'),
  invalid_temperature: invalid('temperature', 'must be a number from 0.0 to 1.0'),
  invalid_strictness: invalid('strictness', 'must be "strict" or "fallback"'),
  invalid_audience: invalid('audience', "must be an array of the workspace's audience tags"),
  invalid_document_ids: invalid('document_ids', 'must be an array of at most 100 document ids'),
  invalid_conversation_id: invalid('conversation_id', 'must be a string'),
  invalid_session_id: invalid('session_id', 'must be a string of at most 200 characters'),
  invalid_user: invalid('user', 'must be an object with user_id, and optionally hash, name and email'),
  invalid_verification_token: invalid('verification_token', 'must be a string'),
  invalid_metadata: invalid('metadata', 'must be an object of at most 16 KB'),
  invalid_idempotency_key: invalid('Idempotency-Key', 'must have 1 to 255 characters'),
  invalid_cursor: invalid('cursor', 'must be a next_cursor of this very list'),
  invalid_limit: invalid('limit', 'must be an integer from 1 to 100'),
  invalid_order: invalid('order', 'must be "asc" or "desc"'),
  unknown_parent: entry(422, 'There is no channel of that id to be under.'),
  invalid_parent: invalid('parent', 'must be the id of a channel of the same kind that is itself under none'),
  tenancy_not_supported: entry(422, 'Channels of this kind do not share an app.'),
  unknown_channel: entry(422, 'There is no channel of that kind.'),
  channel_verification_failed: entry(422, 'The platform does not accept these credentials.'),
  invalid_credentials: invalid('credentials', 'must be an object with what the channel takes'),
  invalid_channel: invalid('channel', 'is not one of the known values'),
  invalid_tag: invalid('tag', 'must have 1 to 64 characters'),
  invalid_since: invalid('since', 'must be an ISO 8601 time'),
  invalid_until: invalid('until', 'must be an ISO 8601 time'),
  invalid_q: invalid('q', 'must have 1 to 1,000 characters'),
  invalid_email: invalid('email', 'must be an e-mail address'),
  invalid_sla_state: invalid('sla_state', 'must be in_compliance, at_risk or breached'),
  invalid_feedback: invalid('feedback', 'must be up or down'),
  invalid_value: invalid('value', 'must be "up", "down" or null'),
  invalid_comment: invalid('comment', 'must be a string of at most 4,000 characters'),
  invalid_author_email: invalid('author_email', 'must be an e-mail address'),
  invalid_tags: invalid('tags', 'must be an array of at most 50 strings of 1 to 64 characters'),
  invalid_priority: invalid('priority', 'must be low, normal, high or urgent'),
  invalid_internal_notes: invalid('internal_notes', 'must be an array of {content, author_email?}'),
  invalid_customer: invalid(
    'customer',
    'must be an object with email, name and phone, each a string or null',
  ),
  invalid_snooze_until: invalid('snooze_until', 'must be an ISO 8601 time in the future'),
  invalid_site: invalid('site', 'must be a string of at most 2,000 characters'),
  invalid_locale: invalid('locale', 'must be an ISO 639-1 code'),
  invalid_previous_responses: invalid(
    'previous_responses',
    'must be an array of objects with role and content',
  ),
  invalid_prev: invalid('prev', 'must be a string or an array of strings'),
  invalid_decontextualized_query: invalid(
    'decontextualized_query',
    'must be a string of at most 4,000 characters',
  ),
  invalid_context: invalid('context', 'must be an object with prev and text, each optional'),
  invalid_prefer: invalid(
    'prefer',
    'must be an object with streaming, response_format and mode, each optional',
  ),
  invalid_meta: invalid('meta', 'must be an object with session_context, which is optional'),
  invalid_generate_mode: invalid('generate_mode', 'must be list, summarize or generate'),
  invalid_query_id: invalid('query_id', 'must be a string of at most 200 characters'),
  invalid_mode: invalid('mode', 'must be list, summarize or generate'),
  invalid_streaming: invalid('streaming', 'must be true or false'),
  invalid_wait: invalid('wait', 'must be "true" or "false"'),
  invalid_status: invalid('status', 'is not one of the known values'),
  invalid_name: invalid('name', 'must be a string of 1 to 200 characters'),
  invalid_plan: invalid('plan', 'must be free, starter, growth, business or enterprise'),
  invalid_owner: invalid('owner', 'must be a string of 1 to 100 characters'),
  invalid_grace_seconds: invalid('grace_seconds', 'must be a whole number from 0 to 604,800 (seven days)'),
  invalid_settings: invalid('settings', 'holds a value that is not understood'),
  invalid_rate_limit_minute: invalid('rate_limit_minute', 'must be an integer from 1 to 1,000'),
  invalid_rate_limit_day: invalid('rate_limit_day', 'must be an integer from 1 to 100,000'),
  invalid_expires_at: invalid('expires_at', 'must be an ISO 8601 time in the future'),
  invalid_title: invalid('title', 'must be a string of 1 to 500 characters'),
  invalid_url: invalid('url', 'must be an http(s) address of at most 2,000 characters'),
  invalid_events: invalid('events', 'must be an array of one or more of the known events, or ["*"] for all'),
  invalid_description: invalid('description', 'must be a string of 1 to 1,000 characters'),
  invalid_parameters: invalid('parameters', 'must be a JSON Schema (2020-12) of an object, of at most 16 KB'),
  invalid_timeout_seconds: invalid('timeout_seconds', 'must be an integer from 1 to 20'),
  invalid_runs_for: invalid('runs_for', 'must be "everyone" or "verified"'),
  invalid_arguments: invalid('arguments', 'must be an object'),
  invalid_phone: invalid('phone', 'must be a phone number of at least five digits'),
  ambiguous_person: entry(422, 'Send exactly one of email, phone and user_id.'),
  invalid_user_id: invalid('user_id', 'must be a string of 1 to 200 characters'),
  invalid_enabled: invalid('enabled', 'must be true or false'),
  invalid_content: invalid('content', 'must be a string that is neither empty nor too long'),
  invalid_content_type: invalid('content_type', 'must be text/plain, text/markdown or text/html'),
  invalid_file: invalid('file', 'must be exactly one non-empty file'),
  invalid_files: invalid('files', 'must be an array of at most 5 ids of files that were sent before'),
  headers_too_large: entry(431, 'The headers are larger than 16 KB.'),
  rate_limit_minute: entry(429, 'Too many requests this minute.', 'after'),
  challenge_required: entry(
    429,
    'There is much to do: show work for this request as the header Challenge says, or come back later.',
    'after',
  ),
  rate_limit_day: entry(429, 'Too many requests today: the count starts again at midnight UTC.', 'after'),
  rate_limit_concurrent: entry(429, 'More than 50 requests of this key are in flight.', 'after'),
  quota_exhausted: entry(429, "The owner's monthly message allowance is used up.", 'after'),
  internal_error: entry(500, 'Something went wrong on our side.', 'backoff'),
  // What other services do to us: whoever calls one throws these, with the service's own error as `cause`.
  model_provider_error: entry(500, 'The language-model provider answered with an error.', 'backoff'),
  upstream_timeout: entry(502, 'A backend service did not answer in time.', 'backoff'),
  attachment_unavailable: entry(502, 'The platform of the channel did not hand the file out.', 'backoff'),
  provider_down: entry(503, 'No language-model provider is available.', 'backoff'),
  deploying: entry(
    503,
    'This server is shutting down or starting. Retry after the seconds that Retry-After names.',
    'after',
  ),
  event_not_stored: entry(503, 'The event could not be stored: send it again.', 'backoff'),
  not_ready: entry(503, 'A part that this server needs does not work: see checks.', 'backoff'),
  request_timeout: entry(504, 'The request took longer than 30 seconds.', 'backoff'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

interface AppErrorOptions {
  /** What exactly is wrong in this case, for the caller; the registry's text when absent. */
  readonly detail?: string;
  /** Seconds, for `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** What led here, for the log only: it never leaves the process. */
  readonly cause?: unknown;
}

/** An error a caller may see: everything public about it comes from the registry and `detail`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retry: RetryAdvice;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail ?? errorCatalogue[code].text, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.retry = errorCatalogue[code].retry;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * The process cannot start or go on, and an operator can mend it. `message` is one line that says what is wrong
 * and what to do; it is printed as it is, without a stack, and the exit code is 1.
 */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StartError';
  }
}
