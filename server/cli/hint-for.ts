const hints: Readonly<Record<string, string>> = {
  workspace_not_found: 'See the ones there are: npm run parley -- workspace list',
  invalid_workspace_id: 'See the ids there are: npm run parley -- workspace list',
  document_not_found: 'See the ones there are: npm run parley -- document list',
  channel_not_found: 'See the ones there are: npm run parley -- channel list',
  unknown_parent: 'See the ones there are: npm run parley -- channel list',
  channel_verification_failed: 'To store it without asking the platform: --set verify=false',
  invalid_credentials: 'See how they are given: npm run parley -- channel add --help',
  key_not_found: 'See the ones there are: npm run parley -- key list',
  conversation_not_found: 'Leave out --conversation to start a new one.',
  feature_not_in_plan: 'Change the plan: npm run parley -- workspace update ID --plan starter',
  quota_exhausted: 'A larger plan has more: npm run parley -- workspace update ID --plan growth',
  invalid_settings: 'See what each setting takes: npm run parley -- workspace update --help',
};

const wrongToken = "Set ADMIN_TOKEN to that server's operator token, or DATA_DIR to the folder that it uses.";

interface Answered {
  readonly status: number;
  readonly requestId: string | undefined;
  /** What was called. */
  readonly path: string;
}

/** What to do next after an error of the API, or undefined where its own words say it. */
export function hintFor(code: string, { status, requestId, path }: Answered): string | undefined {
  if (status === 401) return wrongToken;
  if (status === 429 || status === 503) return hints[code] ?? 'Try again in a while.';
  if (status >= 500) return `The server's log says more under request id ${requestId ?? 'unknown'}.`;
  // The settings of a channel are its own: the API's words say which is wrong.
  if (code === 'invalid_settings' && path.includes('/channels')) return undefined;
  if (code === 'conversation_not_found' && path.startsWith('/admin'))
    return 'See the ones there are: GET /v1/conversations';
  return hints[code];
}
