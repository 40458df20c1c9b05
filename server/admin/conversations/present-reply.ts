import type { z } from 'zod';
import type { AgentMessage } from '../../../core/pipeline/reply-as-agent.ts';
import type { replySchema } from './reply-schema.ts';

export function presentReply({ createdAt, ...message }: AgentMessage): z.output<typeof replySchema> {
  return { ...message, role: 'agent', created_at: createdAt.toISOString() };
}
