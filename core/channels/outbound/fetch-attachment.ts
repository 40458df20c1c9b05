import { AppError } from '../../base/errors.ts';
import { ConnectorError } from '../../contract/connector-error.ts';
import { isVisitorChannel } from '../../contract/conversation-values.ts';
import type { FetchedFile } from '../../contract/facets.ts';
import type { Attachment } from '../../contract/inbound.ts';
import { parseAttachments } from '../../conversations/messages/messages.ts';
import type { Database } from '../../storage/database.ts';
import { findVisitorFile } from '../../visitors/visitor-files.ts';
import type { FindAccount, OpenAccount } from '../accounts/channel-account.ts';
import type { ConnectorCalls } from '../connector-calls.ts';
import { findSentFile } from './agent-files.ts';

interface AttachmentRequest {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly messageId: string;
  /** Zero-based position in the message's attachments. */
  readonly index: number;
}

interface FoundAttachment {
  readonly attachment: Attachment;
  /** The role of the message's author. */
  readonly role: string | null;
  readonly channel: string;
  /** Null if the message has no channel account, or the account no longer exists. */
  readonly open: OpenAccount | null;
}

interface Dependencies {
  readonly database: Database;
  readonly connectorCalls: ConnectorCalls;
  readonly findAccount: FindAccount;
}

/**
 * Fetches an attachment from the platform. Only files of agents, of the widget and of the hosted page are stored here. Throws
 * `conversation_not_found`, `attachment_not_found` and `attachment_unavailable`.
 */
export async function fetchAttachment(
  dependencies: Dependencies,
  asked: AttachmentRequest,
): Promise<FetchedFile & Pick<Attachment, 'name'>> {
  const { attachment, role, channel, open } = await findAttachment(dependencies, asked);
  if (role === 'agent') {
    const agentFile = await findSentFile(dependencies.database.kysely, {
      ...asked,
      id: attachment.reference,
    });
    if (agentFile === null) throw new AppError('attachment_not_found');
    return { ...agentFile, name: attachment.name };
  }
  // Their files are stored in the database.
  if (isVisitorChannel(channel)) {
    const visitorFile = await findVisitorFile(dependencies.database.kysely, {
      ...asked,
      id: attachment.reference,
    });
    if (visitorFile === null) throw new AppError('attachment_not_found');
    return { ...visitorFile, name: attachment.name };
  }
  if (open === null) throw new AppError('attachment_not_found');
  const { fetchFile } = open.connector.open(open.account);
  if (fetchFile === undefined) throw new AppError('attachment_not_found');
  try {
    const file = await dependencies.connectorCalls.call(open.account, (tools) =>
      fetchFile(attachment.reference, tools),
    );
    return { ...file, name: attachment.name };
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const isGone = error.advice.retry === 'never' && !error.account;
    // A network error is not passed on, because it may reveal details of the internal network.
    throw isGone
      ? new AppError('attachment_not_found', { detail: error.message })
      : new AppError('attachment_unavailable', { cause: error });
  }
}

async function findAttachment(
  { database, findAccount }: Dependencies,
  { workspaceId, conversationId, messageId, index }: AttachmentRequest,
): Promise<FoundAttachment> {
  const conversation = await database.kysely
    .selectFrom('conversation')
    .leftJoin('message', (join) =>
      join.onRef('message.conversation_id', '=', 'conversation.id').on('message.id', '=', messageId),
    )
    .select(['conversation.channel', 'conversation.session_id', 'message.metadata', 'message.role'])
    .where('conversation.id', '=', conversationId)
    .where('conversation.workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (conversation === undefined) throw new AppError('conversation_not_found');
  const attachment = parseAttachments(conversation.metadata)[index];
  if (attachment === undefined) throw new AppError('attachment_not_found');
  // The session of a channel's conversation begins with the channel's id.
  const [, channelId] = /^(chan_\w+):/.exec(conversation.session_id ?? '') ?? [];
  const open = channelId === undefined ? null : await findAccount(channelId);
  const ownsConversation = open?.workspaceId === workspaceId && open.account.channel === conversation.channel;
  return {
    attachment,
    role: conversation.role,
    channel: conversation.channel,
    open: ownsConversation ? open : null,
  };
}
