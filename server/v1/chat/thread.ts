import { AppError } from '../../../core/base/errors.ts';
import type { EarlierTurn } from '../../../core/contract/answer.ts';
import { questionSchema } from '../../schemas/fields.ts';
import type { ChatMessage } from './schema.ts';

interface Thread {
  readonly question: string;
  readonly earlierTurns: readonly EarlierTurn[];
}

/** The number of exchanges before the question that are read. */
const mostTurns = 20;

/**
 * Reads the question and the exchanges before it from the messages of a chat completion. Throws `missing_field` if the user
 * has said nothing, and `message_too_long`. Pure.
 */
export function readThread(messages: readonly ChatMessage[]): Thread {
  const said = messages.map((message) => ({ role: message.role, text: textOf(message) }));
  const last = said.findLastIndex(({ role, text }) => role === 'user' && text !== '');
  const asked = said[last]?.text ?? '';
  if (asked === '') {
    throw new AppError('missing_field', { detail: 'messages has no message of the user with a text.' });
  }
  const question = questionSchema.safeParse(asked);
  if (!question.success) throw new AppError('message_too_long');
  const earlierTurns: EarlierTurn[] = [];
  let open: string | null = null;
  for (const { role, text } of said.slice(0, last)) {
    if (text === '') continue;
    if (role === 'user') open = text;
    else if (role === 'assistant' && open !== null) {
      earlierTurns.push({ question: open, answer: text });
      open = null;
    }
  }
  return { question: question.data, earlierTurns: earlierTurns.slice(-mostTurns) };
}

function textOf({ content }: ChatMessage): string {
  const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text).join('\n');
  return text.trim();
}
