import type { NewTestQuestion } from '../../../../ask/evaluation-queries.ts';
import { type Catalogue, english } from '../../../../texts/english.ts';

type Kinds = Catalogue['channels']['kinds'];

/** A kind of channel that a scripted customer can write in, or the API. */
export type Channel = NonNullable<NewTestQuestion['channel']> & keyof Kinds;

export function isChannel(name: string): name is Channel {
  return Object.hasOwn(english.channels.kinds, name);
}

interface ChannelChoice {
  readonly value: Channel;
  readonly label: string;
}

/** All of them with their names in the person's language. */
export function channelChoices(kinds: Readonly<Record<keyof Kinds, string>>): readonly ChannelChoice[] {
  return Object.keys(kinds)
    .filter(isChannel)
    .map((value) => ({ value, label: kinds[value] }));
}
