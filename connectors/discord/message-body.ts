import type { RESTPostAPIChannelMessageJSONBody } from 'discord.js';
import { buttonsFor } from './buttons-for.ts';
import type { Part } from './part.ts';

type MessageBody = Pick<
  RESTPostAPIChannelMessageJSONBody,
  'content' | 'components' | 'flags' | 'allowed_mentions'
>;

const SUPPRESS_EMBEDS = 4;

/** Nobody is ever called by what we say, and no previews of links are shown. */
export function messageBody(part: Part, lane: string): MessageBody {
  const components = buttonsFor(part, lane);
  return { content: part.text, components, flags: SUPPRESS_EMBEDS, allowed_mentions: { parse: [] } };
}
