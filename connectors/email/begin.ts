import type { Begin } from '../../core/contract/facets.ts';
import type { EmailAccount } from './manifest.ts';
import { sign } from './sign.ts';
import { laneKey } from './thread-of.ts';

/** A thread that nobody can guess, in which whom we write to takes part. */
export const begin: Begin<EmailAccount['credentials'], EmailAccount['settings']> = (
  { email, name, subject, key },
  { secret },
) => {
  const lane = sign(secret, 'lane', 'begun', key);
  return {
    to: { lane, address: { to: email, name: name ?? '', subject, references: [], quote: null } },
    remember: [{ key: laneKey(lane), value: { people: [email.toLowerCase()] } }],
  };
};
