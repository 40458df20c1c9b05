import type { z } from 'zod';
import type { AgentMessage } from '../../../core/pipeline/reply-as-agent.ts';
import { presentDelivery } from '../../v1/conversations/present-message.ts';
import type { replySchema } from './reply-schema.ts';

export function presentReply({
  createdAt,
  delivery,
  ...message
}: AgentMessage): z.output<typeof replySchema> {
  return {
    ...message,
    role: 'agent',
    created_at: createdAt.toISOString(),
    delivery: presentDelivery(delivery),
  };
}
