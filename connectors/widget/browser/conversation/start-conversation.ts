import { ChatView, type ViewActions } from '../view/chat-view.ts';
import type { Api } from './api.ts';
import { Conversation, type ConversationParts } from './conversation.ts';

/** Creates a visitor's conversation and its view, and connects them. */
export function startConversation(
  api: Api,
  { close, ...parts }: Omit<ConversationParts, 'api' | 'view'> & Pick<ViewActions, 'close'>,
): { readonly conversation: Conversation; readonly view: ChatView } {
  const view = new ChatView(parts.look, {
    say: (text, files) => conversation.ask(text, files),
    uploadFile: (file) => api.uploadFile(file),
    deleteFile: (file) => api.deleteFile(file),
    link: (url) => api.link(url),
    human: () => conversation.human(),
    older: () => void conversation.older(),
    typing: () => conversation.typing.tell(),
    judge: (message_id, value, comment) => api.post('/feedback', { message_id, value, comment }),
    rate: (rating) => api.post('/rating', rating),
    leaveContact: (email) => api.post('/contact', { email }),
    close,
  });
  const conversation = new Conversation({ ...parts, api, view });
  return { conversation, view };
}
