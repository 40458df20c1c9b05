import { type ErrorEntry, entry } from './catalogue/error-entry.ts';
import { fieldErrors } from './catalogue/field-errors.ts';
import { proofErrors } from './catalogue/proof-errors.ts';

/**
 * The registry of all errors that this service returns. The key is the public `code`; `status`, `text` (the
 * default `detail`) and `retry` belong to it. Every error response is built from an entry.
 */
export const errorCatalogue = {
  missing_field: entry(400, 'A required field is missing. Add it and send the request again.'),
  invalid_workspace_id: entry(
    400,
    'The workspace_id is malformed. Use the id exactly as the API returned it, in the form ws_… or wt_<id>_<suffix>.',
  ),
  message_too_long: entry(
    400,
    'The query is longer than 4,000 characters. Shorten it and send the request again.',
  ),
  unknown_model: entry(
    400,
    'This installation has no model with this name. Send one of its models, `none`, or leave model out.',
  ),
  unknown_field: entry(
    422,
    'The request has a field that the operation does not know. Correct or remove it, or leave out Prefer: handling=strict.',
  ),
  invalid_simulation: entry(
    400,
    'X-Parley-Simulate must be provider_down, upstream_timeout, rate_limit_minute, quota_exhausted, low_confidence, slow, drop_stream or escalate.',
  ),
  invalid_json: entry(400, 'The body is not valid JSON. Check its syntax.'),
  invalid_multipart: entry(
    400,
    'The multipart body cannot be read. Send a complete multipart/form-data body with its boundary.',
  ),
  malformed_request: entry(
    400,
    'The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.',
  ),
  missing_auth: entry(401, 'The Authorization header is missing. Send Authorization: Bearer <API_KEY>.'),
  malformed_auth: entry(
    401,
    'The Authorization header is malformed. Use exactly: Authorization: Bearer <API_KEY>.',
  ),
  invalid_key: entry(401, 'The API key is not valid: it was revoked or never existed. Use a current key.'),
  expired_key: entry(
    401,
    'The API key has expired. Create a new key in the dashboard or with `parley key create`.',
  ),
  invalid_session: entry(401, 'The session has ended or does not exist. Start a new session.'),
  invalid_signature: entry(
    401,
    'The signature does not match, so the request is not accepted as coming from the platform. Check the signing secret of the channel.',
  ),
  workspace_access_denied: entry(
    403,
    'The API key belongs to another owner than this workspace. Use a key of the workspace.',
  ),
  insufficient_scope: entry(
    403,
    'This key lacks the scope that the operation needs. Create a key with it in Settings, API keys.',
  ),
  test_key_required: entry(
    403,
    'X-Parley-Simulate needs a test key, which begins with pk_test_. Create one in Settings, API keys, or leave the header out.',
  ),
  network_not_allowed: entry(
    403,
    'This key may not be used from this address. Call from one of its networks, or change them in Settings, API keys.',
  ),
  feature_not_in_plan: entry(
    403,
    'The plan of this workspace does not include API access. Upgrade to Starter or higher.',
  ),
  verification_required: entry(
    403,
    'This workspace requires verified visitors. Send user.hash or verification_token.',
  ),
  install_in_other_browser: entry(
    403,
    'This installation was started in another browser. Open the link again.',
  ),
  install_declined: entry(
    403,
    'The installation was declined on the platform. Open the link again and allow the installation.',
  ),
  attachments_off: entry(403, 'This channel does not accept files. Switch on its setting attachments.'),
  origin_not_allowed: entry(
    403,
    'This origin is not allowed to call this URL. Add it to the setting allowed_domains of the channel.',
  ),
  permission_denied: entry(
    403,
    'Your role does not allow this. Ask an owner of the workspace to do it or to change your role.',
  ),
  proof_required: entry(
    403,
    'This cannot be undone, so it needs a proof that is at most ten minutes old. Send your password, a code of your second factor or a passkey to POST /dashboard/prove, then send the request again.',
  ),
  cross_site_request: entry(
    403,
    'This request did not come from the dashboard. Send it from the address that the dashboard was opened at.',
  ),
  sign_in_with_provider: entry(
    403,
    'Your workspaces ask for the sign-in of your company. Enter your email address and choose it.',
  ),
  provider_sign_in_failed: entry(403, 'The sign-in at your company did not work. Start it again.'),
  sign_in_provider_not_found: entry(404, 'No sign-in is set up here, or it is switched off.'),
  model_key_not_found: entry(404, 'There is no such provider, or you have stored no key of it.'),
  domain_not_found: entry(404, 'This domain is not one of the sign-in. Save it first.'),
  domain_taken: entry(
    409,
    'Another owner of this installation has proven this domain. They must release it first.',
  ),
  domain_not_claimable: entry(
    422,
    'Everybody can get an address at this domain, so nobody can claim it. Use a domain of your own.',
  ),
  sign_in_untested: entry(409, 'Test this sign-in before it becomes the only way.'),
  no_emergency_exit: entry(
    409,
    'No owner could sign in if the provider failed. Let one add a passkey or a second factor first.',
  ),
  mail_not_set_up: entry(
    409,
    'Nothing here sends mail. Set PUBLIC_URL, SMTP_URL and MAIL_FROM, connect an e-mail channel, or copy the link.',
  ),
  member_exists: entry(409, 'This person is already a member. Change their role instead.'),
  last_owner: entry(409, 'This is the last owner. Make another person an owner first.'),
  member_not_found: entry(404, 'The member does not exist. Check the id.'),
  session_not_found: entry(404, 'The session does not exist, or has ended. Check its id.'),
  already_begun: entry(
    409,
    'The installation has people who can sign in. Create a link for one of them with `parley person link`.',
  ),
  invitation_not_found: entry(404, 'The invitation does not exist, or was already used. Check its id.'),
  link_expired: entry(
    410,
    'This link has expired or was already used. Ask for a new one, or create one with `parley person link`.',
  ),
  workspace_not_found: entry(404, 'The workspace does not exist. Check its id.'),
  conversation_not_found: entry(404, 'The conversation does not exist. Check the conversation_id.'),
  message_not_found: entry(404, 'The conversation has no answer with this id. Check the message_id.'),
  attachment_not_found: entry(404, 'The file does not exist, or its platform has deleted it.'),
  correction_offer_not_found: entry(
    404,
    'There is no such offer: it was answered already, or a newer one has replaced it. Read it again.',
  ),
  fact_conflict_not_found: entry(404, 'The contradiction does not exist, or its document was deleted.'),
  document_not_found: entry(404, 'The document does not exist. Check its id.'),
  document_exists: entry(
    409,
    'Another document of this workspace has this URL or file name. Change or delete that one first.',
  ),
  document_content_gone: entry(
    409,
    'The content of this document was not kept. Replace it with the file or the text.',
  ),
  page_unavailable: entry(
    422,
    'The page cannot be read. Check that its address opens in a browser without signing in.',
  ),
  list_of_pages: entry(
    422,
    'This address is a list of pages: a sitemap or a feed. Add it as a website source, which reads its pages and keeps them in step.',
  ),
  source_not_found: entry(404, 'The source does not exist. Check its id.'),
  source_running: entry(
    409,
    'This source is being read already. Wait until the run has ended, or cancel it.',
  ),
  source_not_running: entry(409, 'No run of this source is going.'),
  source_not_held: entry(
    409,
    'Nothing of this source is held: somebody has decided, or a later run was plausible.',
  ),
  source_paused: entry(409, 'This source is paused. Resume it first.'),
  too_many_changes: entry(
    429,
    'More than 2,000 items of this source wait to be read. Start a run, which compares all of them.',
    'after',
  ),
  source_hook_not_found: entry(404, 'This source has no webhook. Set one up first.'),
  source_hook_unavailable: entry(
    422,
    'Tools of this kind send no webhooks to Parley. Name changes with the operation for changed items.',
  ),
  hook_secret_not_sent: entry(
    409,
    'The tool has sent no secret, or it was shown already. Set the webhook up again to get a new one.',
  ),
  too_many_sources: entry(409, 'This workspace has 100 sources, which is the maximum. Delete one first.'),
  source_item_not_found: entry(404, 'The source has no such item. Check the key.'),
  source_block_not_found: entry(404, 'The page has no such block any more. Load its ledger again.'),
  source_rule_not_found: entry(404, 'The source has no such rule. Check its id.'),
  too_many_source_rules: entry(409, 'This source has 500 rules, which is the maximum. Remove one first.'),
  unknown_source_kind: entry(422, 'This kind of source does not exist. Check the field kind.'),
  source_kind_unavailable: entry(422, 'This installation does not offer this kind of source.'),
  key_not_found: entry(404, 'The API key does not exist. Check its id.'),
  webhook_not_found: entry(404, 'The webhook does not exist. Check its id.'),
  delivery_not_found: entry(404, 'The webhook has no delivery with this id. Check the delivery_id.'),
  skill_not_found: entry(404, 'The HTTP skill does not exist. Check its id.'),
  snippet_not_found: entry(404, 'The snippet does not exist. Check its id.'),
  note_not_found: entry(404, 'The note does not exist. Check its id.'),
  not_your_note: entry(403, 'Only the person who wrote a note can change or delete it.'),
  view_not_found: entry(404, 'The saved view does not exist. Check its id.'),
  action_not_found: entry(404, 'The bulk action does not exist. Check its id.'),
  action_not_undoable: entry(409, 'This can no longer be undone. Change the conversations back instead.'),
  rating_not_asked: entry(409, 'No rating is asked for. A person has to resolve the conversation first.'),
  conversation_moved_on: entry(
    409,
    'There are newer messages, in new_messages. Read them, then send again with the id of the last one.',
  ),
  draft_moved_on: entry(
    409,
    'Another device of yours saved this draft meanwhile. Both texts are kept; the stored one is in draft.',
  ),
  tag_not_found: entry(404, 'No conversation or snippet has this tag. Check its spelling.'),
  channel_not_found: entry(404, 'The channel does not exist. Check its id.'),
  queue_not_found: entry(
    404,
    'This queue does not exist or stores no failed jobs. Only the queues answer and deliver do.',
  ),
  route_not_found: entry(404, 'This route does not exist. Check the path against /openapi.json.'),
  method_not_allowed: entry(
    405,
    'This route does not support the method. Use one of the methods in the Allow header.',
  ),
  install_link_not_found: entry(
    404,
    'This link has expired, was already used or does not exist. Ask for a new one.',
  ),
  receive_timeout: entry(408, 'The request did not arrive completely in time. Send it again.'),
  duplicate_request_id: entry(
    409,
    'This Idempotency-Key is in use by another request or was used with a different body. Use a new key for each new request.',
  ),
  slug_taken: entry(409, 'Another page already uses this slug. Choose another slug.'),
  webhook_disabled: entry(409, 'This webhook is disabled. Enable it first.'),
  skill_name_taken: entry(
    409,
    'This workspace already has an HTTP skill with this name. Choose another name.',
  ),
  snippet_name_taken: entry(409, 'This workspace already has a snippet with this name. Choose another name.'),
  too_many_skills: entry(409, 'This workspace has 20 HTTP skills, which is the maximum. Delete one first.'),
  channel_unreachable: entry(
    409,
    'Nothing can be sent to this conversation: the channel is disabled, or the visitor blocked it or opted out.',
  ),
  channel_window_closed: entry(
    409,
    "The platform's reply window has closed. You can reply after the visitor's next message.",
  ),
  tenant_taken: entry(409, 'This team already has a channel under this parent channel. Use that channel.'),
  app_not_installable: entry(
    409,
    'This channel has no app that can be installed. Add the credentials that an installation requires.',
  ),
  no_public_address: entry(
    409,
    'PUBLIC_URL is not set, so this installation has no address for links. Set it and restart the server.',
  ),
  encryption_key_configured: entry(
    409,
    'ENCRYPTION_KEY is set, so the key is managed in the environment. Set ENCRYPTION_KEY to the new key and ENCRYPTION_KEY_PREVIOUS to the old one, restart every process, then reseal.',
  ),
  encryption_key_shared: entry(
    409,
    'Other processes may use the key in DATA_DIR. Set ENCRYPTION_KEY to a new key and ENCRYPTION_KEY_PREVIOUS to the one in DATA_DIR/encryption-key, restart every process, then reseal.',
  ),
  copy_not_possible: entry(
    409,
    'The database is PostgreSQL, which has tools for that: run `parley backup` on a machine with pg_dump.',
  ),
  no_public_token: entry(409, 'This channel has no public token. Only widget channels have one.'),
  key_expired: entry(409, 'The API key has expired. Create a new key.'),
  plan_downgrade_blocked: entry(
    409,
    'The plan cannot be downgraded before the end of the billing cycle. Try again in the next cycle.',
  ),
  too_many_files: entry(
    409,
    'The file storage of this workspace is full. Delete files, or wait until old ones expire.',
  ),
  too_many_reply_files: entry(409, 'A reply takes at most 5 files, 25 MB together. Remove files.'),
  files_not_possible: entry(409, 'This channel cannot pass files on. Describe the file in words.'),
  payload_too_large: entry(413, 'The body is too large. Send a smaller one.'),
  unsupported_media_type: entry(
    415,
    'The content type is not supported by this route. Check the Content-Type header.',
  ),
  unknown_parent: entry(
    422,
    'No channel that this workspace may use has the id in parent. Check the id, or ask its owner to lend it.',
  ),
  credentials_required: entry(
    422,
    'The settings name a new address, and stored credentials are not sent there. Send the credentials again in this request.',
  ),
  tenancy_not_supported: entry(422, 'Channels of this kind cannot share an app. Leave out parent.'),
  unknown_channel: entry(422, 'This kind of channel does not exist. Check the field channel.'),
  channel_verification_failed: entry(422, 'The platform rejected the credentials. Check them and try again.'),
  ambiguous_person: entry(422, 'Exactly one of email, phone and user_id is required.'),
  misdirected_request: entry(
    421,
    'This host is not that of PUBLIC_URL. Open the dashboard at PUBLIC_URL, or let the proxy pass the Host header on.',
  ),
  headers_too_large: entry(431, 'The headers are larger than 16 KB. Send fewer or shorter headers.'),
  rate_limit_minute: entry(
    429,
    'Too many requests in this minute. Retry after the number of seconds in the Retry-After header.',
    'after',
  ),
  challenge_required: entry(
    429,
    'Too many requests. Solve the proof of work in the Challenge header, or retry later.',
    'after',
  ),
  rate_limit_day: entry(429, 'Too many requests today. The limit resets at midnight UTC.', 'after'),
  rate_limit_concurrent: entry(
    429,
    'More than 50 requests of this key are in flight. Wait until some have finished.',
    'after',
  ),
  quota_exhausted: entry(
    429,
    'The monthly message quota of the owner is used up. Upgrade the plan or wait for the next month.',
    'after',
  ),
  internal_error: entry(
    500,
    'Something went wrong on our side. Retry, and include the request_id if you contact support.',
    'backoff',
  ),
  // Failures of other services: the code that calls the service throws these, with the original error as
  // `cause`.
  model_provider_error: entry(
    500,
    'The language-model provider returned an error. Retry with backoff.',
    'backoff',
  ),
  upstream_timeout: entry(502, 'A backend service did not answer in time. Retry with backoff.', 'backoff'),
  attachment_unavailable: entry(
    502,
    'The platform of the channel did not return the file. Retry with backoff.',
    'backoff',
  ),
  provider_down: entry(503, 'No language-model provider is available. Retry with backoff.', 'backoff'),
  deploying: entry(
    503,
    'This server is starting or shutting down. Retry after the number of seconds in the Retry-After header.',
    'after',
  ),
  storage_unavailable: entry(
    503,
    'The database does not answer or takes no writes. Retry after the number of seconds in the Retry-After header.',
    'after',
  ),
  event_not_stored: entry(503, 'The event could not be stored. Send it again.', 'backoff'),
  not_ready: entry(503, 'A component that this server depends on has failed. See checks.', 'backoff'),
  request_timeout: entry(504, 'The request took longer than 30 seconds. Retry with backoff.', 'backoff'),
  ...fieldErrors,
  ...proofErrors,
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;
