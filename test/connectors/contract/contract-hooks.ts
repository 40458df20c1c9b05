import type { Account, ConversationRef, Json } from '../../../core/contract/account.ts';
import type { OutboundPart } from '../../../core/contract/outbound.ts';
import type { RawRequest } from '../../../core/contract/webhook.ts';

/** The facts of a channel that the contract cannot know: how its platform signs, sends and refuses. */
export interface ContractHooks {
  readonly account: Account;
  /** Null if the platform posts nothing. */
  readonly webhook: {
    /** As the platform sends it. */
    signed(body: string, account: Account): RawRequest;
    /** Requests that are not the platform's. */
    forged(body: string, account: Account): readonly RawRequest[];
    /** Credentials of another account, if those sign deliveries; absent if the secret does. */
    readonly others?: unknown;
  } | null;
  /** One event of the platform, in which a person writes to the bot. */
  readonly question: Json;
  /** The delivery in which the platform reports one of the bot's own messages. */
  readonly own: Json;
  /** An event of a kind that we do not know. */
  readonly unknown: Json;
  readonly conversation: ConversationRef;
  /** Returns what, other than its length, makes a part too long or breaks it; null if it is valid. */
  faultOf(part: OutboundPart): string | null;
  /** The platform's answer to too many requests, with the time to wait that it tells; null if it tells none. */
  readonly limited: { respond(): Response; readonly afterMs: number | null };
  /** The platform's answer to credentials that it no longer accepts. */
  unauthorised(): Response;
  /** Where it is not called by HTTP: an account at a server that refuses so. No response is asked for then. */
  readonly refusing?: (trouble: Trouble) => Promise<Account>;
}

export type Trouble = 'limited' | 'unauthorised' | 'unreachable';

/** Of a channel without a platform: its visitors speak with a server of ours themselves. */
export interface OwnChannelHooks {
  readonly intake: 'none';
  readonly account: Account;
}

export function ownChannelHooks(settings: object): OwnChannelHooks {
  const account = { id: 'chan_1', credentials: {}, settings, secret: 's', webhookUrl: null, profile: {} };
  return { intake: 'none', account };
}
