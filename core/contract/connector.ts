import type { z } from 'zod';
import type { Account, ConversationRef, Json, Tools } from './account.ts';
import type { Facets } from './facets.ts';
import type { InboundEvent } from './inbound.ts';
import type { Listen, SocketIntake } from './listener.ts';
import type { Budget, OutboundPart, Receipt, Reply, ReplyLimits } from './outbound.ts';
import type { WebhookIntake } from './webhook.ts';

/** `none`: visitors speak with a server of ours themselves; nothing is received, rendered or delivered for them. */
export type Intake = 'webhook' | 'listener' | 'none';

export interface Manifest<Credentials, Settings> {
  readonly contract: 1;
  /** Also the folder, the API's `channel` and the label of metrics. */
  readonly channel: string;
  /** Each field has a description. */
  readonly credentials: z.ZodType<Credentials>;
  readonly settings: z.ZodType<Settings>;
  /** Of one part that is sent, in the units that the platform counts (UTF-16 unless its NOTES.md says otherwise). */
  readonly limits: { readonly textChars: number };
  /** More than a person would be answered: past it what comes is kept, with a note, and not answered. */
  readonly replyLimits?: ReplyLimits;
}

/**
 * A channel. It sees no database, queue, model, environment or other connector. All but `probe`, `deliver`, `listen`
 * and the facets is pure. What goes wrong on the platform is thrown as a ConnectorError, and nothing else is thrown.
 */
export interface Connector<Credentials, Settings> {
  readonly manifest: Manifest<Credentials, Settings>;
  /** How the events of an account come. */
  intakeOf(account: Account<Credentials, Settings>): Intake;
  readonly webhook: WebhookIntake<Credentials, Settings> | null;
  readonly listen: Listen<Credentials, Settings> | null;
  /** Where the platform speaks with us over sockets of its own; absent where it does not. */
  readonly socket?: SocketIntake<Credentials, Settings>;
  /** Asks the platform who the account is; throws with the platform's own words where it does not accept us. */
  probe(account: Account<Credentials, Settings>, tools: Tools): Promise<Readonly<Record<string, Json>>>;
  /**
   * What a stored delivery tells, which came at `receivedAt`: for platforms that do not say when it happened. Total: what
   * it does not know is `unsupported`.
   */
  normalise(native: Json, account: Account<Credentials, Settings>, receivedAt: Date): readonly InboundEvent[];
  /** Splits, escapes and shortens a reply so that every part fits the limits. At least one part. */
  render(reply: Reply, to: ConversationRef, account: Account<Credentials, Settings>): readonly OutboundPart[];
  /** Sends one part. A refusal of its markup is answered by sending it plain, here. */
  deliver(
    part: OutboundPart,
    to: ConversationRef,
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<Receipt>;
  /** What each part that is sent there counts against, that of the account last. */
  budgets(to: ConversationRef, account: Account<Credentials, Settings>): readonly Budget[];
  readonly facets: Facets<Credentials, Settings>;
}

/** One whose accounts are not yet read: what the rest of the product works with. */
export type AnyConnector = Connector<unknown, unknown>;
