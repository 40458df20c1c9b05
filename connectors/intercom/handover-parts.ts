import type { Reply } from '../../core/contract/outbound.ts';
import { handoverNote } from './handover-note.ts';
import type { IntercomAccount } from './manifest.ts';
import type { Part } from './part.ts';
import { writeHtml } from './write-html.ts';

const NOBODY = '0';

/** What is done in Intercom when the bot hands a conversation over; nothing where a person has it already. */
export function handoverParts(
  { handover, author, recap }: Pick<Reply, 'handover' | 'author' | 'recap'>,
  { settings }: IntercomAccount,
): readonly Part[] {
  if (!handover || author !== 'bot') return [];
  const [type, id] = settings.handover_to.split(':');
  const assignment: Part = {
    kind: 'assignment',
    type: type === 'team' ? 'team' : 'admin',
    id: id ?? NOBODY,
  };
  const note: Part = { kind: 'note', html: writeHtml(handoverNote(recap)) };
  return settings.handover_note ? [note, assignment] : [assignment];
}
