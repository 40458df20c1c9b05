import type { IntercomPerson } from './notification-schema.ts';

/** `us`: the teammate as whom we answer. `machine`: Fin, workflows, campaigns, and whom we do not know. */
export type Author = 'contact' | 'teammate' | 'us' | 'machine';

const contacts = ['user', 'lead', 'contact', 'visitor'];

/** Who wrote or did something; `admin` is our own id, null where that is not known. */
export function authorOf(author: IntercomPerson | null, admin: string | null): Author {
  if (author?.type === 'admin') return author.id === admin ? 'us' : 'teammate';
  return contacts.includes(author?.type ?? '') ? 'contact' : 'machine';
}
