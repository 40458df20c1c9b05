import { isDirect } from './address.ts';
import type { botOf } from './bot-of.ts';
import type { SlackEvent } from './event-schema.ts';
import { plainWords } from './plain-words.ts';

type Bot = ReturnType<typeof botOf>;

interface Said {
  /** Without what only names us. */
  readonly text: string;
  readonly addressed: boolean | 'joined';
}

/** What a message says, and whether to us. In a thread that we take part in it is, unless it names somebody else. */
export function addressing(
  event: Pick<SlackEvent, 'type' | 'channel' | 'text' | 'thread_ts'>,
  bot: Bot,
): Said {
  const written = event.text ?? '';
  const named = mentionsIn(written);
  const isForUs =
    event.type === 'app_mention' ||
    isDirect(event.channel ?? '') ||
    named.some((user) => bot.userIds.has(user));
  const isForOthers = named.length > 0 && /^\s*<@/.test(written);
  const inThread = event.thread_ts !== null && !isForOthers ? 'joined' : false;
  return { text: plainWords(withoutUs(written, bot)).trim(), addressed: isForUs || inThread };
}

export function mentionsIn(text: string): readonly string[] {
  return [...text.matchAll(/<@([\w-]+)(?:\|[^<>]*)?>/g)].map(([, user = '']) => user);
}

/** "Is <@us> open?" is left as "Is open?", and "Thanks, <@us>, bye" as "Thanks, bye". */
function withoutUs(text: string, bot: Bot): string {
  return text.replaceAll(
    /(^|\s)?<@([\w-]+)(?:\|[^<>]*)?>([,:;]?[^\S\n]*)/g,
    (whole: string, before: string | undefined, user: string, after: string) => {
      if (!bot.userIds.has(user)) return whole;
      return before === undefined ? after : before;
    },
  );
}
