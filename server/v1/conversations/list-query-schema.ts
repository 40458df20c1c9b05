import { z } from 'zod';
import {
  channels,
  conversationStatuses,
  opinions,
  slaStates,
} from '../../../core/conversations/conversation-values.ts';
import { characters } from '../../schemas/characters.ts';
import { emailSchema } from '../../schemas/email-schema.ts';
import { pageQuerySchema } from '../../schemas/page-query-schema.ts';
import { timeSchema } from '../../schemas/time-schema.ts';
import { workspaceIdSchema } from '../../schemas/workspace-id-schema.ts';
import { tagSchema } from './tag-schema.ts';

/** One value comes as itself, several as an array. */
const asArray = (value: unknown) => (typeof value === 'string' ? [value] : value);
/** A plus sign in an address that nobody encoded comes as a space, which no e-mail address has. */
const withPlus = (value: unknown) => (typeof value === 'string' ? value.replaceAll(' ', '+') : value);

/** The filters of the list of conversations: those that are given must all hold. */
export const listQuerySchema = pageQuerySchema.extend({
  workspace_id: workspaceIdSchema,
  channel: z.enum(channels).optional(),
  status: z.enum(conversationStatuses).optional(),
  tag: z
    .preprocess(asArray, z.array(tagSchema).max(50))
    .optional()
    .meta({ description: 'Repeated for several: all must match.' }),
  since: timeSchema.optional().meta({ description: 'Started after.' }),
  until: timeSchema.optional().meta({ description: 'Started before.' }),
  updated_since: timeSchema.optional().meta({
    description:
      'With a message, a change, a note or feedback of that moment or later. Ask from a minute before your last request: a change can be seen shortly after its time.',
  }),
  q: characters({ min: 1, max: 1_000 }, z.string().trim())
    .optional()
    .meta({ description: 'Words that one message of the conversation has, in any form and order.' }),
  email: z.preprocess(withPlus, emailSchema).optional().meta({ description: "The customer's." }),
  sla_state: z.enum(slaStates).optional(),
  feedback: z
    .enum(opinions)
    .optional()
    .meta({ description: 'What its visitor thinks of one of its answers.' }),
});
