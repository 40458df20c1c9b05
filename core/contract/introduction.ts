import type { Sender } from './inbound-event.ts';

/** Who somebody is, as far as the platform vouches for it; null where it does not tell. */
export type Introduction = Pick<Sender, 'name' | 'email' | 'language'>;
