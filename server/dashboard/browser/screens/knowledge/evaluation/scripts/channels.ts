import type { NewTestQuestion } from '../../../../ask/evaluation-queries.ts';

export type Channel = NonNullable<NewTestQuestion['channel']>;

/** The kinds of channels that a scripted customer can write in, and the API. */
export const channels = [
  ...(['widget', 'hosted', 'email', 'slack', 'discord', 'telegram'] as const),
  ...(['whatsapp', 'sms', 'voice', 'intercom', 'api'] as const),
] as const satisfies readonly Channel[];
