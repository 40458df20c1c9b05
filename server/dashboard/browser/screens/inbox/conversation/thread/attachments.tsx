import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readProblem } from '../../../../api/problem.ts';
import { attachmentAddress, type MessageEntry } from '../../../../api/queries/conversation.ts';
import { Download, FileText, Image } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { FaultLine } from '../../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { useDesk } from '../use-desk.ts';

type Attachment = NonNullable<MessageEntry['message']['attachments']>[number];

/** Pictures that a browser draws without running anything. */
const drawable = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Larger pictures are downloaded: the page would hold them twice. */
const mostBytes = 10_000_000;

/** The files of a message. Nothing is fetched before a click, because the platform would learn that an agent looks. */
export function Attachments({ message }: { readonly message: MessageEntry['message'] }) {
  const { attachments = [] } = message;
  if (attachments.length === 0) return null;
  return (
    <div className="p-files">
      {attachments.map((attachment, index) => (
        <File
          // biome-ignore lint/suspicious/noArrayIndexKey: the files of a message do not change places
          key={index}
          message={message.id}
          attachment={attachment}
          index={index}
        />
      ))}
    </div>
  );
}

interface FileProps {
  readonly message: string;
  readonly attachment: Attachment;
  readonly index: number;
}

function File({ message, attachment, index }: FileProps) {
  const { texts } = useTexts();
  const words = texts.conversation.files;
  const { place } = useDesk();
  const [isShown, setShown] = useState(false);
  const { kind, bytes, content_type: type } = attachment;
  const name = attachment.name ?? words.kinds[kind];
  const address = attachmentAddress(place, message, index);
  const isPicture =
    kind === 'image' && (type === null || drawable.includes(type)) && (bytes === null || bytes <= mostBytes);
  const size = bytes === null ? '' : words.size(bytes);
  return (
    <div className="p-file">
      <div className="p-file-row">
        {isPicture ? (
          <UnstyledButton
            className="p-file-name"
            aria-expanded={isShown}
            aria-label={isShown ? words.hide(name) : words.show(name)}
            title={words.notShown}
            onClick={() => setShown(!isShown)}
          >
            <Icon of={Image} />
            <span>{name}</span>
          </UnstyledButton>
        ) : (
          <a className="p-file-name" href={address} download aria-label={words.download(name)}>
            <Icon of={FileText} />
            <span>{name}</span>
          </a>
        )}
        {size !== '' && <span className="p-file-size p-numbers">{size}</span>}
        {isPicture && (
          <a className="p-file-get" href={address} download aria-label={words.download(name)}>
            <Icon of={Download} size={14} />
          </a>
        )}
      </div>
      {isShown && <Picture address={address} name={name} />}
      <Reading attachment={attachment} />
    </div>
  );
}

/** The transcript of a recording or the description of a picture, by a model. */
function Reading({ attachment: { transcript, description } }: Pick<FileProps, 'attachment'>) {
  const { texts } = useTexts();
  const text = transcript ?? description;
  if (text === undefined) return null;
  const { files: words } = texts.conversation;
  return (
    <figure className="p-file-reading">
      <figcaption>{transcript === undefined ? words.description : words.transcript}</figcaption>
      <p dir="auto">{text}</p>
    </figure>
  );
}

/** The message without the transcripts of its recordings, which are shown below them. */
export function withoutTranscripts({ content, attachments = [] }: MessageEntry['message']): string {
  const spoken = attachments.flatMap(({ transcript }) => transcript ?? []).join('\n');
  return spoken !== '' && content.endsWith(spoken) ? content.slice(0, -spoken.length).trimEnd() : content;
}

/** The picture as data within the page: the policy of the page allows no other source. */
function Picture({ address, name }: { readonly address: string; readonly name: string }) {
  const { texts } = useTexts();
  const { data, error } = useQuery({
    queryKey: ['attachment', address],
    queryFn: ({ signal }) => readPicture(address, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  if (error !== null) return <FaultLine>{error.message}</FaultLine>;
  if (data === undefined) return <p className="p-file-loading">{texts.conversation.files.loading}</p>;
  return <img className="p-file-picture" src={data} alt={name} />;
}

async function readPicture(address: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(address, { credentials: 'same-origin', signal });
  if (!response.ok) throw await readProblem(response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return toDataUrl(new Blob([bytes], { type: typeOf(bytes) }));
}

/** The server sends every file as a download, so the type is read from its first bytes. */
function typeOf(bytes: Uint8Array): string {
  if (bytes[0] === 0x89) return 'image/png';
  if (bytes[0] === 0xff) return 'image/jpeg';
  return bytes[0] === 0x47 ? 'image/gif' : 'image/webp';
}

function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
