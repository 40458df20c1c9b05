import type { FindAccount, OpenAccount } from '../channels/channel-account.ts';
import type { ConnectorCalls } from '../channels/connector-calls.ts';
import { ConnectorError } from '../contract/connector-error.ts';
import type { FetchedFile } from '../contract/facets.ts';
import type { Attachment } from '../contract/inbound.ts';
import { parseAttachments } from '../conversations/messages.ts';
import { AppError } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import { findVisitorFile } from '../visitors/visitor-files.ts';

interface Asked {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly messageId: string;
  /** From 0. */
  readonly index: number;
}

interface Found {
  readonly attachment: Attachment;
  readonly channel: string;
  /** Null where it came to none of a platform, or that is gone. */
  readonly open: OpenAccount | null;
}

/** Whose visitors speak with us themselves. */
const ownChannels = ['widget', 'hosted'];

interface Dependencies {
  readonly database: Database;
  readonly connectorCalls: ConnectorCalls;
  readonly findAccount: FindAccount;
}

/**
 * A file that came with a message, asked of the platform now: nothing is kept of it here, but of what came to a widget or a
 * page of ours. Throws `conversation_not_found`, `attachment_not_found` and `attachment_unavailable`.
 */
export async function fetchAttachment(
  dependencies: Dependencies,
  asked: Asked,
): Promise<FetchedFile & Pick<Attachment, 'name'>> {
  const { attachment, channel, open } = await findAttachment(dependencies, asked);
  if (ownChannels.includes(channel)) {
    const kept = await findVisitorFile(dependencies.database.kysely, { ...asked, id: attachment.reference });
    if (kept === null) throw new AppError('attachment_not_found');
    return { ...kept, name: attachment.name };
  }
  if (open === null) throw new AppError('attachment_not_found');
  const { fetchFile } = open.connector.facets;
  if (fetchFile === undefined) throw new AppError('attachment_not_found');
  try {
    const file = await dependencies.connectorCalls.call(open.account, (tools) =>
      fetchFile(attachment.reference, open.account, tools),
    );
    return { ...file, name: attachment.name };
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const isGone = error.advice.retry === 'never' && !error.account;
    // What goes wrong on the way may tell of our network.
    throw isGone
      ? new AppError('attachment_not_found', { detail: error.message })
      : new AppError('attachment_unavailable', { cause: error });
  }
}

async function findAttachment(
  { database, findAccount }: Dependencies,
  { workspaceId, conversationId, messageId, index }: Asked,
): Promise<Found> {
  const conversation = await database.kysely
    .selectFrom('conversation')
    .leftJoin('message', (join) =>
      join.onRef('message.conversation_id', '=', 'conversation.id').on('message.id', '=', messageId),
    )
    .select(['conversation.channel', 'conversation.session_id', 'message.metadata'])
    .where('conversation.id', '=', conversationId)
    .where('conversation.workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (conversation === undefined) throw new AppError('conversation_not_found');
  const attachment = parseAttachments(conversation.metadata)[index];
  if (attachment === undefined) throw new AppError('attachment_not_found');
  // The session of a channel's conversation begins with the channel's id.
  const [, channelId] = /^(chan_\w+):/.exec(conversation.session_id ?? '') ?? [];
  const open = channelId === undefined ? null : await findAccount(channelId);
  const isIts = open?.workspaceId === workspaceId && open.account.channel === conversation.channel;
  return { attachment, channel: conversation.channel, open: isIts ? open : null };
}
