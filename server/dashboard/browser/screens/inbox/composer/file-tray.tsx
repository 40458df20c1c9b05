import { ActionIcon } from '@mantine/core';
import { type ClipboardEvent, type DragEvent, type Ref, useImperativeHandle, useRef, useState } from 'react';
import type { DraftKind, ReplyFile } from '../../../api/queries/conversation.ts';
import { FileText, Image, Paperclip, X } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import type { ComposerFiles, Uploading } from './use-files.ts';

/** The files of the reply as chips, with the refused ones below. */
export function FileTray({ files }: { readonly files: ComposerFiles }) {
  const { texts } = useTexts();
  const words = texts.conversation.files;
  const { attached, faults } = files;
  return (
    <>
      {attached.length > 0 && (
        <ul className="p-tray" aria-label={words.attached}>
          {attached.map(({ key, file }) => (
            <Chip key={key} name={file.name} size={sizeOf(file)} onRemove={() => files.remove(file)}>
              <Icon of={isPicture(file) ? Image : FileText} size={14} />
              {'share' in file && <Progress file={file} />}
            </Chip>
          ))}
        </ul>
      )}
      {faults.length > 0 && (
        <div className="p-composer-fault" role="alert">
          {faults.map((fault) => (
            <FaultLine key={fault}>{fault}</FaultLine>
          ))}
        </div>
      )}
    </>
  );
}

const sizeOf = (file: ReplyFile | Uploading) => ('share' in file ? file.size : file.byte_count);

const isPicture = (file: ReplyFile | Uploading) =>
  ('share' in file ? file.type : file.content_type).startsWith('image/');

interface ChipProps {
  readonly name: string;
  readonly size: number;
  readonly onRemove: () => void;
  readonly children: React.ReactNode;
}

function Chip({ name, size, onRemove, children }: ChipProps) {
  const { texts } = useTexts();
  const words = texts.conversation.files;
  return (
    <li className="p-chip">
      {children}
      <span className="p-chip-name" dir="auto" title={name}>
        {name}
      </span>
      <span className="p-chip-size p-numbers">{words.size(size)}</span>
      <button type="button" aria-label={words.remove(name)} onClick={onRemove}>
        <Icon of={X} size={14} />
      </button>
    </li>
  );
}

function Progress({ file: { name, share } }: { readonly file: Uploading }) {
  const { texts } = useTexts();
  return (
    <progress
      className="p-chip-progress"
      aria-label={texts.conversation.files.uploading(name)}
      value={share}
      max={1}
    />
  );
}

export interface AttachHandle {
  readonly open: () => void;
}

interface AttachButtonProps {
  readonly ref: Ref<AttachHandle>;
  readonly onFiles: (files: Iterable<File>) => void;
}

/** Opens the file dialogue of the system. */
export function AttachButton({ ref, onFiles }: AttachButtonProps) {
  const { texts } = useTexts();
  const words = texts.conversation.files;
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => ({ open: () => input.current?.click() }), []);
  return (
    <>
      <ActionIcon
        variant="subtle"
        className="p-composer-attach"
        aria-label={words.attach}
        title={`${words.attach} (F)`}
        onClick={() => input.current?.click()}
      >
        <Icon of={Paperclip} />
      </ActionIcon>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

/** Accepts files that are dropped on the composer or pasted into it. */
export function useDropped(kind: DraftKind, files: ComposerFiles) {
  const [isOver, setOver] = useState(false);
  const take = (dropped: FileList) => {
    if (kind === 'note') files.refuse();
    else files.add([...dropped]);
  };
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
  return {
    ...(isOver && { 'data-dropping': true }),
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(kind === 'reply');
    },
    onDragLeave: (event: DragEvent<HTMLElement>) => {
      const { relatedTarget: entered } = event;
      if (!(entered instanceof Node && event.currentTarget.contains(entered))) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer.files);
    },
    onPaste: (event: ClipboardEvent) => {
      const { files: pasted, types } = event.clipboardData;
      // Spreadsheets paste cells both as text and as a picture.
      if (pasted.length === 0 || types.includes('text/plain')) return;
      event.preventDefault();
      take(pasted);
    },
  };
}
