interface ConversationProps {
  readonly conversationId: string;
}

/** The open conversation with its composer and the pane of details. */
export function Conversation({ conversationId }: ConversationProps) {
  return <div data-conversation={conversationId} />;
}
