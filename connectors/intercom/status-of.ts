import { type Author, authorOf } from './author-of.ts';
import type { IntercomConversation, IntercomPart } from './notification-schema.ts';

export type Status = 'open' | 'claimed' | 'resolved';

const opening = ['open', 'assign_and_reopen', 'note_and_reopen', 'reopened', 'assign_and_unsnooze'];
const assigning = ['assignment', 'default_assignment'];
const NOBODY = '0';

/**
 * What a part makes of its conversation: closed, a teammate's, or ours again; null where it changes nothing of that.
 * `admin` is our own id. What we did ourselves changes nothing, and neither do rules of the workspace, unless they give
 * it to a teammate or close it.
 */
export function statusOf(
  part: IntercomPart,
  conversation: IntercomConversation,
  admin: string | null,
): Status | null {
  const by = authorOf(part.author, admin);
  const type = part.part_type ?? '';
  if (by === 'us') return null;
  if (type === 'close') return 'resolved';
  const isReply = part.body !== null && !isNote(part);
  const opens = opening.includes(type) && !isReply && by === 'teammate';
  return opens || assigning.includes(type) ? statusBy(by, { part, conversation, admin }) : null;
}

/** The teammate who has the conversation, if it is not we. */
export function holderOf(
  { admin_assignee_id, assignee }: IntercomConversation,
  admin: string | null,
): string | null {
  const named = assignee?.type === 'admin' ? assignee.id : null;
  const holder = admin_assignee_id ?? named;
  return holder === NOBODY || holder === admin ? null : holder;
}

/** Words for the team: they are never told to a contact, and never answered. */
export function isNote({ part_type }: Pick<IntercomPart, 'part_type'>): boolean {
  return part_type?.startsWith('note') ?? false;
}

interface Change {
  readonly part: IntercomPart;
  readonly conversation: IntercomConversation;
  readonly admin: string | null;
}

/** The part and the conversation do not always agree: whoever is named has it. */
function statusBy(by: Author, { part: { assigned_to: to }, conversation, admin }: Change): Status | null {
  if (to?.type === 'admin' && to.id !== null && to.id === admin) return 'open';
  const isTeammates = to?.type === 'admin' && to.id !== null && to.id !== NOBODY;
  if (isTeammates || holderOf(conversation, admin) !== null) return 'claimed';
  if (by !== 'teammate') return null;
  return to?.type === 'team' ? 'claimed' : 'open';
}
