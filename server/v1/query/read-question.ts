import type { z } from 'zod';
import type { AskRequest } from '../../../core/answering/ask.ts';
import { readIdentity } from './read-identity.ts';
import type { querySchema } from './schema.ts';

/** A query's body as a question to the core. */
export function readQuestion(
  body: z.output<typeof querySchema.body>,
): Omit<AskRequest, 'workspace' | 'channel'> {
  return {
    question: body.query,
    conversationId: body.conversation_id || null,
    sessionId: body.session_id ?? null,
    topK: body.top_k,
    strictness: body.strictness ?? null,
    temperature: body.temperature ?? null,
    audience: body.audience,
    documentIds: body.document_ids ?? null,
    identity: readIdentity(body),
    metadata: body.metadata ?? null,
  };
}
