import type { IntercomAccount } from './manifest.ts';
import type { Part } from './part.ts';

const NOBODY = '0';

const note =
  '<p>Passed on by the bot, which is silent in this conversation now. Assign it to the bot to let it answer again.</p>';

/** What is done in Intercom when a conversation goes to a person. */
export function handoverParts({ settings }: IntercomAccount): readonly Part[] {
  const [type, id] = settings.handover_to.split(':');
  const assignment: Part = {
    kind: 'assignment',
    type: type === 'team' ? 'team' : 'admin',
    id: id ?? NOBODY,
  };
  return settings.handover_note ? [{ kind: 'note', html: note }, assignment] : [assignment];
}
