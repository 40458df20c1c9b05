import type { VisitorTurn } from './next-step.ts';

/** What is kept of a visitor's message beside its text. Files are not fetched. */
export function messageMetadata({
  messageIds,
  sender,
  attachments,
}: VisitorTurn): Readonly<Record<string, unknown>> {
  return {
    channel_message_ids: messageIds,
    sender: { id: sender.id, name: sender.name },
    ...(attachments.length > 0 && { attachments }),
  };
}
