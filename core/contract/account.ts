import type { Json } from './json.ts';

/** A platform's account of a workspace: one bot, one number, one mailbox. */
export interface Account<Credentials = unknown, Settings = unknown> {
  /** `chan_…`. */
  readonly id: string;
  readonly credentials: Credentials;
  readonly settings: Settings;
  /** Made by us for this account: what a platform that lets us choose has to show with each of its calls. */
  readonly secret: string;
  /** Where the platform posts its events; null where this installation has no public address. */
  readonly webhookUrl: string | null;
  /** What `probe` learned of it: its id and name on the platform. Empty until then. */
  readonly profile: Readonly<Record<string, Json>>;
}

/** A conversation on the platform. */
export interface ConversationRef {
  /** The platform's own thread, as one string: what is said in one lane is handled in its order, one at a time. */
  readonly lane: string;
  /** How to send there. */
  readonly address: Json;
}
