import type { Facets } from '../../core/contract/facets.ts';
import { addressOf, isDirect } from './address.ts';
import { botOf } from './bot-of.ts';
import { enclosedWords } from './enclosed-words.ts';
import type { SlackMessage } from './event-schema.ts';
import { isSaid } from './is-said.ts';
import type { SlackAccount } from './manifest.ts';
import { readMessageId } from './message-id.ts';
import { namesOf } from './names-of.ts';
import { plainWords } from './plain-words.ts';
import { readThread } from './read-thread.ts';
import { senderOf } from './sender-of.ts';

type Earlier = NonNullable<Facets<SlackAccount['credentials'], SlackAccount['settings']>['earlier']>;

/** What was said in a thread before the app was mentioned there: how it began, and the latest of the rest. */
export const earlier: Earlier = async ({ to, messageId }, account, tools) => {
  const { channel, thread, team } = addressOf(to);
  const before = readMessageId(messageId)?.ts ?? thread;
  const most = account.settings.earlier_messages;
  if (most === 0 || isDirect(channel) || thread === null || before === null || before === thread) return [];
  const messages = await readThread({ channel, team, thread, before }, account, tools);
  const bot = botOf({ authorizations: null, api_app_id: null }, account);
  const said = messages
    .filter((message) => isSaid(message) && !bot.wrote(message))
    .map((message) => ({ message, sender: senderOf(message, bot), text: wordsOf(message) }))
    .filter(({ text }) => text !== '');
  const kept = beginningAndEnd(said, most);
  const ids = kept.flatMap(({ sender }) => (sender.kind === 'person' ? [sender.id] : []));
  const names = await namesOf({ ids, to }, account, tools);
  return kept.map(({ message, sender, text }) => ({
    author: names.get(sender.id) ?? sender.name ?? message.bot_profile?.name ?? sender.id,
    text,
  }));
};

function wordsOf(message: SlackMessage): string {
  const words = plainWords(message.text ?? '').trim();
  return [...(words === '' ? [] : [words]), ...enclosedWords(message)].join('\n');
}

function beginningAndEnd<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return [...items.slice(0, 1), ...items.slice(items.length - (most - 1))];
}
