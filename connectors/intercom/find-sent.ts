import { z } from 'zod';
import type { Facets } from '../../core/contract/facets.ts';
import { lenient } from '../shared/lenient.ts';
import { addressOf } from './address.ts';
import { requireAdmin } from './admin-of.ts';
import { callIntercom } from './call-intercom.ts';
import { readHtml } from './html-text.ts';
import type { IntercomAccount } from './manifest.ts';
import { partMessageId } from './message-id.ts';
import { type Part, partOf } from './part.ts';

type FindSent = NonNullable<Facets<IntercomAccount['credentials'], IntercomAccount['settings']>['findSent']>;

const partSchema = z.object({
  id: z.string(),
  part_type: z.string(),
  body: lenient(z.string()),
  created_at: z.number(),
  author: z.object({ id: z.coerce.string() }),
});
const answerSchema = z.object({
  conversation_parts: z.object({ conversation_parts: z.array(partSchema) }),
});

/** By what it says, as Intercom keeps nothing of ours with it; whom a conversation was given to may be said again. */
export const findSent: FindSent = async ({ part, to, since }, account, tools) => {
  const words = wordsOf(partOf(part));
  if (words === null) return [];
  const conversation = addressOf(to);
  const admin = requireAdmin(account);
  const answer = await callIntercom(
    (client) => client.conversations.find({ conversation_id: conversation }),
    account,
    tools,
  );
  return (answerSchema.safeParse(answer).data?.conversation_parts.conversation_parts ?? [])
    .filter(
      (one) =>
        one.author.id === admin &&
        one.created_at * 1_000 >= since.getTime() &&
        one.part_type === words.kind &&
        words.texts.includes(readHtml(one.body ?? '').text),
    )
    .map(({ id }) => ({ messageId: partMessageId(conversation, id) }));
};

/** What a part may read like there; null where it has no words. */
function wordsOf(part: Part): { readonly kind: string; readonly texts: readonly string[] } | null {
  if (part.kind === 'buttons' || part.kind === 'assignment') return null;
  const plain = part.kind === 'comment' ? [part.text.trim()] : [];
  return { kind: part.kind, texts: [readHtml(part.html).text, ...plain] };
}
