import type { Account, ConversationRef, Json } from '../../../core/contract/account.ts';
import type { OutboundPart } from '../../../core/contract/outbound.ts';
import type { RawRequest } from '../../../core/contract/webhook.ts';

/** What the contract cannot know of a channel: how its platform signs, sends and refuses. */
export interface ContractHooks {
  readonly account: Account;
  /** Null where nothing is posted to us. */
  readonly webhook: {
    /** As the platform sends it. */
    signed(body: string, account: Account): RawRequest;
    /** Requests that are not the platform's. */
    forged(body: string, account: Account): readonly RawRequest[];
    /** Credentials of somebody else, where these are what is signed with; absent where the secret is that. */
    readonly others?: unknown;
  } | null;
  /** One event of the platform, in which a person says something to us. */
  readonly question: Json;
  /** What the platform tells of what we said ourselves. */
  readonly own: Json;
  /** An event of a kind that we do not know. */
  readonly unknown: Json;
  readonly conversation: ConversationRef;
  /** Beside the longest text, what else makes a part too long or breaks it: null where it is as it should be. */
  faultOf(part: OutboundPart): string | null;
  /** What the platform answers where we send too much, with the time that it tells us to wait; null where it tells none. */
  readonly limited: { respond(): Response; readonly afterMs: number | null };
  /** What it answers to credentials that it does not accept any more. */
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
