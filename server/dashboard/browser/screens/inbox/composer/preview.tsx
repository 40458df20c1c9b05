import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { previewQuery } from '../../../api/queries/conversation.ts';
import { drawLine, whatsappMarks } from '../../../parts/markdown/markdown-line.tsx';
import { MarkdownText } from '../../../parts/markdown/markdown-text.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useDesk } from '../conversation/use-desk.ts';
import { drawHtml } from './draw-html.tsx';

/** The reply as the channel will show it: its parts, its length, and what is lost of the markup. */
export function Preview({ content }: { readonly content: string }) {
  const { texts, language } = useTexts();
  const words = texts.conversation.composer;
  const { place, head, channelName } = useDesk();
  const [wanted] = useDebouncedValue(content.trim(), 300);
  const { data, error } = useQuery({
    ...previewQuery(place, wanted),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
  });
  if (wanted === '') return <p className="p-preview-empty">{words.nothing}</p>;
  if (error !== null) {
    return (
      <div className="p-preview">
        <FaultLine>{error.message}</FaultLine>
      </div>
    );
  }
  if (data === undefined) return <Skeletons rows={1} height={64} />;
  const number = new Intl.NumberFormat(language);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long preview is scrolled with the keyboard
    <section className="p-preview" aria-label={words.preview(channelName)} tabIndex={0}>
      {data.parts.map((part, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a reply do not change places
        <div key={position} className="p-preview-part" dir="auto">
          <Part channel={head.channel} text={part.text} html={part.html} />
          {data.limit !== null && (
            <span className="p-preview-length p-numbers">
              {number.format(part.length)} / {number.format(data.limit)}
            </span>
          )}
        </div>
      ))}
      {data.limit !== null && (
        <p className="p-preview-note">{words.previewParts(data.parts.length, number.format(data.limit))}</p>
      )}
    </section>
  );
}

/** Channels that draw Markdown by themselves. */
const drawsMarkdown = ['widget', 'hosted', 'api', 'slack', 'discord'];

interface PartProps {
  readonly channel: string;
  readonly text: string;
  readonly html: string | null;
}

function Part({ channel, text, html }: PartProps) {
  const { texts } = useTexts();
  if (html !== null) return <div className="p-preview-text">{drawHtml(html)}</div>;
  if (text === '') return <p className="p-preview-text">{texts.conversation.composer.template}</p>;
  if (drawsMarkdown.includes(channel)) return <MarkdownText text={text} spoken />;
  return <p className="p-preview-text">{channel === 'whatsapp' ? drawLine(text, whatsappMarks) : text}</p>;
}
