import { toStorableText, truncateText } from '../../core/base/text.ts';
import type { OpenAccount, OpenedAccount } from '../../core/channels/accounts/channel-account.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { withDeadline } from '../../core/contract/abort-signal.ts';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { EarlierMessage } from '../../core/contract/facets.ts';
import type { Sender } from '../../core/contract/inbound.ts';
import { type AskedTurn, findTurnLanguage, type VisitorTurn } from './plan-turn.ts';

interface ConnectorCall<Result> {
  ask(tools: Tools): Promise<Result>;
  /** Log message for a failed call. */
  readonly failure: string;
}

/** Short, because the visitor waits for the answer meanwhile. */
const deadlineMs = 2_500;

/** Calls a platform for optional context. Returns null if the call fails or misses the deadline. */
async function callWithDeadline<Result>(
  { connectorCalls: calls, log }: Pick<LaneDependencies, 'connectorCalls' | 'log'>,
  account: OpenedAccount,
  { ask, failure }: ConnectorCall<Result>,
): Promise<Result | null> {
  try {
    return await calls.call(account, (tools) =>
      withDeadline({ timeoutMs: deadlineMs, signal: tools.signal }, (signal) => ask({ ...tools, signal })),
    );
  } catch (err) {
    if (!(err instanceof ConnectorError)) throw err;
    log.warn({ err, channel: account.id }, failure);
    return null;
  }
}

/**
 * Returns the turn with the sender's profile, if the platform offers it only on request. Returns the turn
 * unchanged on failure.
 */
export async function withSenderProfile(
  dependencies: Pick<LaneDependencies, 'connectorCalls' | 'log'>,
  asked: AskedTurn,
): Promise<AskedTurn> {
  const { account, connector } = asked.open;
  const { fetchSenderProfile: fetchProfile } = connector.open(account);
  const { sender, conversation: to } = asked.turn;
  if (fetchProfile === undefined || sender.kind !== 'person') return asked;
  const fetched = await callWithDeadline(dependencies, account, {
    ask: (tools) => fetchProfile({ id: sender.id, to }, tools),
    failure: 'fetching the sender profile failed',
  });
  if (fetched === null) return asked;
  const profile: Sender = {
    ...sender,
    name: fetched.name === null ? sender.name : toStorableText(fetched.name),
    email: fetched.email === null ? sender.email : toStorableText(fetched.email),
    language: fetched.language ?? sender.language,
  };
  const turn = { ...asked.turn, sender: profile };
  const language = profile.language === sender.language ? asked.language : findTurnLanguage(turn);
  return { ...asked, turn, language };
}

/** Limit for each message. Longer messages are usually pasted text. */
const MAX_MESSAGE_CHARS = 2_000;

/**
 * Returns the thread's messages from before the bot was addressed. Returns an empty list if the platform does
 * not offer them or the call fails.
 */
export async function fetchThreadContext(
  dependencies: Pick<LaneDependencies, 'connectorCalls' | 'log'>,
  open: OpenAccount,
  { conversation: to, messageIds: [messageId] }: VisitorTurn,
): Promise<readonly EarlierMessage[]> {
  const { account, connector } = open;
  const { fetchThreadContext: fetchEarlier } = connector.open(account);
  if (fetchEarlier === undefined || messageId === undefined) return [];
  const messages = await callWithDeadline(dependencies, account, {
    ask: (tools) => fetchEarlier({ to, messageId }, tools),
    failure: 'fetching the thread context failed',
  });
  return (messages ?? []).map(({ author, text }) => ({
    author: toStorableText(author),
    text: truncateText(toStorableText(text), MAX_MESSAGE_CHARS),
  }));
}
