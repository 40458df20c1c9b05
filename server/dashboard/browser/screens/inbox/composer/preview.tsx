import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { previewQuery, type ReplyFile, type ReplyPreview } from '../../../api/queries/conversation.ts';
import { FileText, Image } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { PlatformText } from '../../../parts/markdown/platform-text.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useDesk } from '../conversation/use-desk.ts';

interface PreviewProps {
  readonly content: string;
  readonly files: readonly ReplyFile[];
}

/** The reply as the channel will show it: its parts, its length, and the lost markup and files. */
export function Preview({ content, files }: PreviewProps) {
  const { texts, language } = useTexts();
  const words = texts.conversation.composer;
  const { place, channelName } = useDesk();
  const [wanted] = useDebouncedValue(content.trim(), 300);
  const isEmpty = wanted === '' && files.length === 0;
  const { data, error } = useQuery({
    ...previewQuery(
      place,
      wanted,
      files.map(({ id }) => id),
    ),
    enabled: !isEmpty,
    placeholderData: keepPreviousData,
  });
  if (isEmpty) return <p className="p-preview-empty">{words.nothing}</p>;
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
          {(part.text !== '' || part.file_ids.length === 0) && (
            <Part markup={data.markup} text={part.text} html={part.html} />
          )}
          {files
            .filter(({ id }) => part.file_ids.includes(id))
            .map((file) => (
              <PreviewedFile key={file.id} file={file} />
            ))}
          {data.limit !== null && part.text !== '' && (
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

/** Pictures that the server serves with their own type. */
const drawable = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

function PreviewedFile({
  file: { name, url, content_type: type, byte_count: size },
}: {
  readonly file: ReplyFile;
}) {
  const { texts } = useTexts();
  return (
    <figure className="p-preview-file">
      {drawable.includes(type) && <img className="p-preview-picture" src={pathOf(url)} alt="" />}
      <figcaption>
        <Icon of={type.startsWith('image/') ? Image : FileText} size={14} />
        <span className="p-chip-name" dir="auto" title={name}>
          {name}
        </span>
        <span className="p-chip-size p-numbers">{texts.conversation.files.size(size)}</span>
      </figcaption>
    </figure>
  );
}

/** The link names the public address. The page may be open at another address, and its policy allows only that one. */
function pathOf(url: string): string {
  return url.slice(Math.max(0, url.indexOf('/files/')));
}

interface PartProps {
  readonly markup: ReplyPreview['markup'];
  readonly text: string;
  readonly html: string | null;
}

function Part({ markup, text, html }: PartProps) {
  const { texts } = useTexts();
  if (html === null && text === '')
    return <p className="p-preview-text">{texts.conversation.composer.template}</p>;
  return <PlatformText {...{ markup, text, html }} />;
}
