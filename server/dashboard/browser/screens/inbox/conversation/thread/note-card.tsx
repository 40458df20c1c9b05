import { ActionIcon, Button, Group, Menu, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  changeNote,
  deleteNote,
  type Note,
  timelineQuery,
  writeNote,
} from '../../../../api/queries/conversation.ts';
import { Ellipsis } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { Initials } from '../../../../parts/initials.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { offerUndoOf } from '../../../../undo/undo.tsx';
import { mentionsIn, splitMentions } from '../../composer/mentions.ts';
import { nameOf, useDesk } from '../use-desk.ts';
import { useTimes } from '../use-times.ts';

/** A note of the team, drawn so that nobody takes it for a reply. */
export function NoteCard({ note }: { readonly note: Note }) {
  const { texts } = useTexts();
  const words = texts.conversation.note;
  const { agents, me, mayReply } = useDesk();
  const times = useTimes();
  const [isEditing, setEditing] = useState(false);
  const author = nameOf(agents, note.person_id ?? note.author);
  const isMine = note.person_id === me.id && mayReply;
  return (
    <article id={`entry-${note.id}`} className="p-note-card" aria-label={`${author}, ${words.label}`}>
      <header>
        <Initials size={18} name={author} />
        <strong>{author}</strong>
        <span title={times.exact(note.created_at)}>
          {words.label}, {times.clock(note.created_at)}
          {note.edited_at !== null && `, ${words.edited}`}
        </span>
        {isMine && !isEditing && <NoteMenu note={note} onEdit={() => setEditing(true)} />}
      </header>
      {isEditing ? (
        <NoteForm note={note} onDone={() => setEditing(false)} />
      ) : (
        <p dir="auto">
          {splitMentions(note.content, agents).map(({ text, person }, position) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text do not change places
            person === null ? <span key={position}>{text}</span> : <strong key={position}>{text}</strong>,
          )}
        </p>
      )}
    </article>
  );
}

function NoteMenu({ note, onEdit }: { readonly note: Note; readonly onEdit: () => void }) {
  const { texts } = useTexts();
  const words = texts.conversation.note;
  const { place, fail } = useDesk();
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: timelineQuery(place).queryKey });
  const remove = async () => {
    const removed = deleteNote(place, note.id);
    offerUndoOf(removed, words.removed, () => {
      writeNote(place, { content: note.content, mentions: note.mentions }).then(refresh, fail);
    });
    await removed;
    await refresh();
  };
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon size="xs" aria-label={words.actions}>
          <Icon of={Ellipsis} size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>{words.edit}</Menu.Item>
        <Menu.Item onClick={() => remove().catch(fail)}>{words.remove}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function NoteForm({ note, onDone }: { readonly note: Note; readonly onDone: () => void }) {
  const { texts } = useTexts();
  const words = texts.conversation.note;
  const { place, agents, fail } = useDesk();
  const client = useQueryClient();
  const [content, setContent] = useState(note.content);
  const save = async () => {
    await changeNote(place, note.id, { content: content.trim(), mentions: mentionsIn(content, agents) });
    await client.invalidateQueries({ queryKey: timelineQuery(place).queryKey });
    onDone();
  };
  return (
    <>
      <Textarea
        autosize
        minRows={2}
        maxRows={10}
        autoFocus
        aria-label={words.edit}
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone();
        }}
      />
      <Group mt="xs" gap="xs">
        <Button
          size="xs"
          variant="default"
          disabled={content.trim() === ''}
          onClick={() => save().catch(fail)}
        >
          {words.save}
        </Button>
        <Button size="xs" variant="subtle" onClick={onDone}>
          {texts.conversation.side.cancel}
        </Button>
      </Group>
    </>
  );
}
