import type { AskRequest } from '../../../../core/answering/ask-request.ts';
import type { Workspace } from '../../../../core/workspaces/workspaces.ts';

/** A question of an unknown visitor that begins a conversation, with the API's defaults. */
export function plainRequest(workspace: Workspace, question: string): AskRequest {
  return {
    workspace,
    channel: 'api',
    question,
    conversationId: null,
    sessionId: null,
    topK: null,
    strictness: null,
    temperature: null,
    audience: [],
    documentIds: null,
    identity: { user: null, token: null },
    metadata: null,
  };
}
