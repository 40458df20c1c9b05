import { useParams } from '@tanstack/react-router';
import { Conversation } from './conversation/conversation.tsx';
import './inbox.css';

/** The list of conversations, and beside it the open one. On phones one of the two. */
export function Inbox() {
  const { conversation }: { readonly conversation?: string } = useParams({ strict: false });
  const isOpen = conversation !== undefined;
  return (
    <div className="p-inbox" {...(isOpen && { 'data-open': true })}>
      <section className="p-inbox-list" />
      <div className="p-inbox-desk">
        {isOpen && <Conversation key={conversation} conversationId={conversation} />}
      </div>
    </div>
  );
}
