import { PlatformText } from '../parts/markdown/platform-text.tsx';
import { askChannel as english } from '../texts/english/screens/ask-channel.ts';
import { askChannel as german } from '../texts/german/screens/ask-channel.ts';
import { useTexts, useWords } from '../texts/texts.tsx';
import type { Rehearsal } from './evaluation-queries.ts';

/** The texts of an answer in a channel. */
export const useChannelWords = () => useWords({ en: english, de: german });

interface RenderedAnswerProps {
  readonly rendered: NonNullable<Rehearsal['rendered']>;
  /** The name of the channel. */
  readonly channel: string;
}

/** The messages that a channel would send, as it shows them. */
export function RenderedAnswer({ rendered: { parts, limit, markup }, channel }: RenderedAnswerProps) {
  const { language } = useTexts();
  const words = useChannelWords();
  const number = new Intl.NumberFormat(language);
  return (
    <ol className="p-asked-parts" aria-label={words.shown(channel)}>
      {parts.map(({ subject, text, html, length }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an answer do not change places
        <li key={position} className="p-card p-asked-text" dir="auto">
          {subject !== null && (
            <div className="p-asked-share">
              {words.subject}: <b>{subject}</b>
            </div>
          )}
          {/* The styles of a mail are for mail programs. */}
          <PlatformText markup={markup} text={text} html={subject === null ? html : null} />
          <div className="p-asked-share p-numbers">
            {parts.length > 1 && <span>{words.part(position + 1, parts.length)} </span>}
            {limit !== null && <span>{words.length(number.format(length), number.format(limit))}</span>}
          </div>
        </li>
      ))}
    </ol>
  );
}
