import type { OpenAccount, OpenedAccount } from '../../core/channels/channel-account.ts';
import { withDeadline } from '../../core/contract/abort-signal.ts';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { EarlierMessage } from '../../core/contract/facets.ts';
import type { Sender } from '../../core/contract/inbound.ts';
import type { LaneDependencies } from '../../core/inbound/lane-dependencies.ts';
import { toStorableText, truncateText } from '../../core/text.ts';
import { type AskedTurn, findTurnLanguage, type VisitorTurn } from './plan-turn.ts';

interface ConnectorCall<Result> {
  ask(tools: Tools): Promise<Result>;
  /** For the log. */
  readonly failure: string;
}

/** Somebody waits for his answer meanwhile. */
const deadlineMs = 2_500;

/** What a platform tells that an answer can do without: null where it does not, or not soon. */
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

/** With who the visitor is, where the platform tells that only to who asks; as it was where that fails. */
export async function withSenderProfile(
  dependencies: Pick<LaneDependencies, 'connectorCalls' | 'log'>,
  asked: AskedTurn,
): Promise<AskedTurn> {
  const { account, connector } = asked.open;
  const { fetchSenderProfile: introduce } = connector.facets;
  const { sender, conversation: to } = asked.turn;
  if (introduce === undefined || sender.kind !== 'person') return asked;
  const told = await callWithDeadline(dependencies, account, {
    ask: (tools) => introduce({ id: sender.id, to }, account, tools),
    failure: 'who wrote could not be found out',
  });
  if (told === null) return asked;
  const known: Sender = {
    ...sender,
    name: told.name === null ? sender.name : toStorableText(told.name),
    email: told.email === null ? sender.email : toStorableText(told.email),
    language: told.language ?? sender.language,
  };
  const turn = { ...asked.turn, sender: known };
  const language = known.language === sender.language ? asked.language : findTurnLanguage(turn);
  return { ...asked, turn, language };
}

/** Of each message: what is longer was pasted. */
const mostChars = 2_000;

/** What people said to one another before they speak to us, where the platform tells it; nothing where that fails. */
export async function fetchThreadContext(
  dependencies: Pick<LaneDependencies, 'connectorCalls' | 'log'>,
  open: OpenAccount,
  { conversation: to, messageIds: [messageId] }: VisitorTurn,
): Promise<readonly EarlierMessage[]> {
  const { account, connector } = open;
  const { fetchThreadContext: earlier } = connector.facets;
  if (earlier === undefined || messageId === undefined) return [];
  const said = await callWithDeadline(dependencies, account, {
    ask: (tools) => earlier({ to, messageId }, account, tools),
    failure: 'what was said before could not be read',
  });
  return (said ?? []).map(({ author, text }) => ({
    author: toStorableText(author),
    text: truncateText(toStorableText(text), mostChars),
  }));
}
