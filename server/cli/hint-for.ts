const hints: Readonly<Record<string, string>> = {
  workspace_not_found: 'See the ones there are: npm run parley -- workspace list',
  invalid_workspace_id: 'See the ids there are: npm run parley -- workspace list',
  document_not_found: 'See the ones there are: npm run parley -- document list',
  key_not_found: 'See the ones there are: npm run parley -- key list',
  conversation_not_found: 'Leave out --conversation to start a new one.',
  feature_not_in_plan: 'Change the plan: npm run parley -- workspace update ID --plan starter',
  quota_exhausted: 'A larger plan has more: npm run parley -- workspace update ID --plan growth',
  invalid_settings: 'See what each setting takes: npm run parley -- workspace update --help',
};

const wrongToken = "Set ADMIN_TOKEN to that server's operator token, or DATA_DIR to the folder that it uses.";

/** What to do next after an error of the API, or undefined where its own words say it. */
export function hintFor(
  code: string,
  { status, requestId }: { readonly status: number; readonly requestId: string | undefined },
): string | undefined {
  if (status === 401) return wrongToken;
  if (status === 429 || status === 503) return hints[code] ?? 'Try again in a while.';
  if (status >= 500) return `The server's log says more under request id ${requestId ?? 'unknown'}.`;
  return hints[code];
}
