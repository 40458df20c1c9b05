/** The chat on pages of others. It opens with a public token. */
export const widgetChannel = 'widget';

/** The chat on a page of this installation. Its slug is unique. */
export const pageChannel = 'hosted';

/** The channels of visitors with a session of ours. The session id of their conversations is the visitor's id. */
export const visitorChannels = [widgetChannel, pageChannel] as const;

export function isVisitorChannel(channel: string): boolean {
  return visitorChannels.some((one) => one === channel);
}

/** The most that the metadata of a question or a conversation takes as JSON. The database keeps the same limit. */
export const METADATA_BYTES = 16_384;

export const conversationStatuses = [
  'open',
  'claimed',
  'escalated',
  'snoozed',
  'resolved',
  'archived',
] as const;

export type ConversationStatus = (typeof conversationStatuses)[number];

/** While an agent has the conversation, the engine does not answer in channels and the SLA clock runs. */
export const handoverStatuses = ['claimed', 'escalated'] as const satisfies readonly ConversationStatus[];

export const priorities = ['low', 'normal', 'high', 'urgent'] as const;

export type Priority = (typeof priorities)[number];

export const opinions = ['up', 'down'] as const;

/** A visitor's rating of an answer. */
export type Opinion = (typeof opinions)[number];

export const slaStates = ['in_compliance', 'at_risk', 'breached'] as const;

export type SlaState = (typeof slaStates)[number];

/** The visitor, as far as known. */
export interface Customer {
  readonly email: string | null;
  /**
   * Whether the address belongs to the visitor: the integrator signed it, or the channel's platform vouches for it. False
   * if the address was only stated, or if there is none.
   */
  readonly emailVerified: boolean;
  readonly name: string | null;
  readonly phone: string | null;
}
