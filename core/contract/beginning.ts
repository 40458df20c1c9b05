import type { Account, ConversationRef } from './account.ts';
import type { Memory } from './delivery.ts';

/** Somebody to whom we write first. */
export interface Addressee {
  readonly email: string;
  readonly name: string | null;
  readonly subject: string;
  /** The same for what belongs together. */
  readonly key: string;
}

/** A conversation that we begin, and what is to be recalled when it is answered. */
export interface Beginning {
  readonly to: ConversationRef;
  readonly remember: readonly Memory[];
}

/** Where a conversation can be begun by us with whoever has an e-mail address. Pure. */
export type Begin<Credentials, Settings> = (
  addressee: Addressee,
  account: Account<Credentials, Settings>,
) => Beginning;
