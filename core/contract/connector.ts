import type { z } from 'zod';
import type { Account, ConversationRef, Json, Tools } from './account.ts';
import type { Facets, GuideFacts } from './facets.ts';
import type { InboundEvent } from './inbound.ts';
import type { Listen, SocketIntake } from './listener.ts';
import type { DnsRecords, FoundServers, WantedMailbox } from './mail/mailbox-setup.ts';
import type { Budget, OutboundPart, Receipt, Reply, ReplyLimits } from './outbound.ts';
import type { WebhookIntake } from './webhook.ts';

/**
 * How the events of an account arrive: the platform calls the webhook, a listener holds a connection to the platform, or
 * `none` if visitors talk to a server of Parley directly (widget, hosted page). With `none`, nothing is received,
 * rendered or delivered through the connector.
 */
export type Intake = 'webhook' | 'listener' | 'none';

/** Static facts about a channel and the schemas of its accounts. */
export interface Manifest<Credentials, Settings> {
  readonly contract: 1;
  /** Also the name of the connector's folder, the value of `channel` in the API and the label of metrics. */
  readonly channel: string;
  /** Parses the stored credentials. Every field needs a description, which errors about the field show to operators. */
  readonly credentials: z.ZodType<Credentials>;
  /** Parses the stored settings. Every field needs a description. */
  readonly settings: z.ZodType<Settings>;
  /**
   * The maximum length of one part, in the units that the platform counts (UTF-16 code units unless the connector's
   * NOTES.md states otherwise).
   */
  readonly limits: { readonly textChars: number };
  /**
   * Limits that stop a conversation with an undeclared bot. Beyond them, incoming messages are stored with a note for the
   * agents and are not answered.
   */
  readonly replyLimits?: ReplyLimits;
  /**
   * Present if accounts can have the facet `tenancy`: the credentials of the app itself, which accounts of other owners share
   * with the app's account. All others are those of one tenant, and no other owner gets them.
   */
  readonly appCredentials?: readonly string[];
}

/** A text that an account has in a field of its profile or of its settings, behind a prefix. A list is joined by commas. */
export interface AccountText {
  readonly of: 'profile' | 'settings';
  readonly field: string;
  readonly prefix?: string;
}

/** The symbols that the dashboard draws, by their names in its collection of icons. */
export const symbols = [
  'braces',
  'hash',
  'mail',
  'message-circle',
  'message-circle-more',
  'message-square-more',
  'message-square-text',
  'messages-square',
  'panel-top',
  'phone',
  'send',
] as const;

export const markups = ['markdown', 'single-marks', 'none'] as const;

/**
 * The abilities that lists of channels show. `files`: agents can open the files of visitors. `inbox`: agents also answer in
 * the platform's own inbox and take conversations there, so the engine checks for an agent's reply before it stores an answer.
 */
export const abilities = [
  'streaming',
  'typing',
  'welcome',
  'files',
  'window',
  'inbox',
  'tenancy',
  'install_links',
] as const;

export type Ability = (typeof abilities)[number];

/**
 * The facts about a channel that need none of its accounts. Pure data, so that no other room names a channel:
 * lists, pages and mails show it, and the engine branches on it.
 */
export interface About {
  /** The channel's name for people, by language. */
  readonly name: { readonly en: string; readonly de: string };
  /** The use of the channel in a few words, by language. */
  readonly summary: { readonly en: string; readonly de: string };
  /** The page of the documentation with the set-up guide, from the root of the project. */
  readonly page: string;
  /** The symbol of the channel in the dashboard. */
  readonly symbol: (typeof symbols)[number];
  /** The colour of the symbol on light and on dark ground. Absent: that of the text. */
  readonly colour?: { readonly light: string; readonly dark: string };
  /** How customers know an account, such as `@help_bot`, a number or an address. */
  readonly handle: AccountText;
  /** The page where a person can write to an account at once. A path belongs to this installation. Absent: there is none. */
  readonly chatPage?: AccountText;
  /**
   * The markup in the text of a rendered part, for previews: Markdown, single marks as in `*bold*`, or none. Parts with
   * HTML are shown by their HTML.
   */
  readonly markup: (typeof markups)[number];
  /** An address of nobody, to render answers on trial with. Absent: `render` reads none. */
  readonly sampleAddress?: Json;
  /** The ways in which events can arrive. Empty if visitors talk to a server of Parley directly. */
  readonly intakes: readonly Exclude<Intake, 'none'>[];
  /** The abilities that accounts can have. */
  readonly abilities: readonly Ability[];
  /**
   * How visitors get the files of agents. Absent: as links in the text. `shown`: `render` takes `Reply.files`. `refused`:
   * visitors cannot open links here, so agents cannot send files.
   */
  readonly agentFiles?: 'shown' | 'refused';
  /**
   * Where visitors learn that a machine answers. `interface`: the platform or our page marks every answer of a bot.
   * `greeting`: the connector says it in its greeting, with the text that `PullRequest.respond` gets. `message`: the engine puts
   * it before the first answer.
   */
  readonly disclosure: 'interface' | 'greeting' | 'message';
  /** Whether a message asks visitors for a rating. Without it, only channels with a form of their own ask. */
  readonly asksForRating: boolean;
  /** Whether an account is a mailbox: it sends mails of other kinds, and continues conversations with the facets for both. */
  readonly isMailbox?: true;
}

/** The tools of the search for the servers of a mailbox. */
export type SetupTools = Tools & { readonly dns: DnsRecords };

/** A connector: the code for one platform. It has no access to the database, the queue, models or the environment. */
export interface Connector<Credentials, Settings> {
  readonly about: About;
  readonly manifest: Manifest<Credentials, Settings>;
  /**
   * Returns texts to paste on the platform's own pages, by the name that the section "Set it up" of the connector's README
   * gives them in code, such as `app_manifest`. Pure.
   */
  guideValues?(facts: GuideFacts): Readonly<Record<string, string>>;
  /**
   * Finds the mail servers of an address, for the set-up of a mailbox. It signs in nowhere, and servers that are not found are
   * null. Its accounts have the facet `checkServers`.
   */
  findServers?(wanted: WantedMailbox, tools: SetupTools): Promise<FoundServers>;
  /** Returns what an account can do. The engine calls it once for each object of an account. Pure. */
  open(account: Account<Credentials, Settings>): Channel;
}

/**
 * A channel: what one account can do. `normalise`, `render`, `budgets`, `webhook` and every facet member marked "Pure" must
 * be pure. Every other member reports a platform failure by throwing a `ConnectorError`; any other error is logged as a
 * defect of the connector and the call is retried. A new channel implements `webhook` or `listen` and the five members
 * `probe`, `normalise`, `render`, `deliver` and `budgets`.
 *
 * Tools are arguments of the members, and not of `open`: each call has a deadline and a signal of its own.
 */
export interface Channel extends Facets {
  /** How events arrive. `webhook` requires the member `webhook`, `listener` requires `listen`. */
  readonly intake: Intake;
  readonly webhook: WebhookIntake | null;
  readonly listen: Listen | null;
  /** Present if the platform opens WebSocket connections to the server, as for voice calls. */
  readonly socket?: SocketIntake;
  /**
   * Verifies the credentials and returns the account's facts on the platform, which are stored as `profile`. Called when
   * an operator adds or changes an account, unless its setting `verify` is false. Throws a `ConnectorError` with the
   * platform's message if the platform rejects the account.
   */
  probe(tools: Tools): Promise<Readonly<Record<string, Json>>>;
  /**
   * Translates a stored delivery into events. `receivedAt` stands in for the time of the event on platforms that
   * report none. A worker calls it when it handles the delivery, and again after a retry. It must not throw: an
   * unknown payload becomes an event of type `unsupported`.
   */
  normalise(native: Json, receivedAt: Date): readonly InboundEvent[];
  /**
   * Splits, escapes and shortens a reply so that each part fits the platform's limits. Returns at least one part. Called
   * once for each reply; the parts are stored before they are sent.
   */
  render(reply: Reply, to: ConversationRef): readonly OutboundPart[];
  /**
   * Sends one part and returns the platform's id of the message. The delivery worker calls it, again for each retry. If
   * the platform rejects the part's markup, this member sends the text as plain text itself.
   */
  deliver(part: OutboundPart, to: ConversationRef, tools: Tools): Promise<Receipt>;
  /** Returns the rate limits that each part sent to `to` counts against, the account's own budget last. */
  budgets(to: ConversationRef): readonly Budget[];
}

/** A connector whose accounts are not yet parsed: the type that the engine works with. */
export type AnyConnector = Omit<Connector<unknown, unknown>, 'open'> & {
  /** Parses the account and opens it, once for each object. Throws a ZodError if the schemas reject it. */
  open(account: Account): Channel;
};
