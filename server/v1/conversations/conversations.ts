import type { Runtime } from '../../../core/runtime.ts';
import type { TypedApp } from '../../typed-app.ts';
import { deleteConversation } from './delete-conversation.ts';
import { getConversation } from './get-conversation.ts';
import { getConversations } from './get-conversations.ts';
import { getMessages } from './get-messages.ts';
import { patchConversation } from './patch-conversation.ts';
import { postFeedback } from './post-feedback.ts';
import { postNote } from './post-note.ts';

/** What agents do with conversations. */
export function conversations(app: TypedApp, runtime: Runtime): void {
  getConversations(app, runtime);
  getConversation(app, runtime);
  getMessages(app, runtime);
  postFeedback(app, runtime);
  postNote(app, runtime);
  patchConversation(app, runtime);
  deleteConversation(app, runtime);
}
