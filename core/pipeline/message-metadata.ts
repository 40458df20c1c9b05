import type { VisitorTurn } from './next-step.ts';

/** What is kept of a visitor's message beside its text. Files are not fetched. */
export function messageMetadata({
  messageIds,
  sender,
  attachments,
  texts,
}: VisitorTurn): Readonly<Record<string, unknown>> {
  return {
    channel_message_ids: messageIds,
    // One of several may be edited or deleted later.
    ...(texts.length > 1 && { channel_texts: texts }),
    sender: { id: sender.id, name: sender.name },
    ...(attachments.length > 0 && { attachments }),
  };
}
