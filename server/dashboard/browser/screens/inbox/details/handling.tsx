import { ActionIcon, Autocomplete, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Priority } from '../../../api/queries/conversation.ts';
import { tagsQuery } from '../../../api/queries/snippets.ts';
import { Plus, X } from '../../../icons.ts';
import { type KeyAction, useKeyActions } from '../../../keys/registry.ts';
import { Icon } from '../../../parts/icon.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useDesk } from '../conversation/use-desk.ts';
import { useTimes } from '../conversation/use-times.ts';
import { Section } from './section.tsx';

const priorities: readonly Priority[] = ['low', 'normal', 'high', 'urgent'];

/** The assignee, the state, the priority and the tags. */
export function Handling() {
  const { texts } = useTexts();
  const words = texts.conversation;
  const { head, mayReply, change } = useDesk();
  const times = useTimes();
  return (
    <Section title={words.side.handling}>
      <dl className="p-details-facts">
        <div>
          <dt>{words.side.assignee}</dt>
          <dd {...(head.assignee === null && { 'data-dim': true })}>
            {head.assignee?.name ?? words.side.nobody}
          </dd>
        </div>
        <div>
          <dt>{words.side.status}</dt>
          <dd>{words.statuses[head.status]}</dd>
        </div>
        {head.snooze_until !== null && (
          <div>
            <dt>{words.side.until}</dt>
            <dd>{times.exact(head.snooze_until)}</dd>
          </div>
        )}
        <div>
          <dt>{words.actions.priority}</dt>
          <dd>
            {mayReply ? (
              <Select
                size="xs"
                variant="unstyled"
                className="p-details-select"
                aria-label={words.actions.priority}
                allowDeselect={false}
                data={priorities.map((value) => ({ value, label: words.priorities[value] }))}
                value={head.priority}
                onChange={(value) => {
                  const priority = priorities.find((each) => each === value);
                  if (priority !== undefined && priority !== head.priority) {
                    change({ priority }, words.done.priority(words.priorities[priority]));
                  }
                }}
              />
            ) : (
              words.priorities[head.priority]
            )}
          </dd>
        </div>
        <div>
          <dt>{words.side.tags}</dt>
          <dd>
            <TagList />
          </dd>
        </div>
      </dl>
    </Section>
  );
}

function TagList() {
  const { texts } = useTexts();
  const words = texts.conversation;
  const { head, mayReply, change } = useDesk();
  const [isAdding, setAdding] = useState(false);
  const actions = useMemo<readonly KeyAction[]>(
    () => [
      {
        id: 'conversation-tag',
        name: words.side.addTag,
        keys: 'l',
        scope: 'here',
        run: () => setAdding(true),
      },
    ],
    [words],
  );
  useKeyActions(actions);
  const set = (tags: readonly string[]) => change({ tags }, words.done.tags);
  return (
    <div className="p-tags">
      {head.tags.length === 0 && !mayReply && words.side.noTags}
      {head.tags.map((tag) => (
        <span key={tag} className="p-tag">
          {tag}
          {mayReply && (
            <button
              type="button"
              aria-label={words.side.removeTag(tag)}
              onClick={() => set(head.tags.filter((each) => each !== tag))}
            >
              <Icon of={X} size={12} />
            </button>
          )}
        </span>
      ))}
      {mayReply &&
        (isAdding ? (
          <TagField
            onAdd={(tag) => {
              if (tag !== '' && !head.tags.includes(tag)) set([...head.tags, tag]);
              setAdding(false);
            }}
            onCancel={() => setAdding(false)}
          />
        ) : (
          <ActionIcon size="xs" aria-label={words.side.addTag} onClick={() => setAdding(true)}>
            <Icon of={Plus} size={14} />
          </ActionIcon>
        ))}
    </div>
  );
}

interface TagFieldProps {
  readonly onAdd: (tag: string) => void;
  readonly onCancel: () => void;
}

function TagField({ onAdd, onCancel }: TagFieldProps) {
  const { texts } = useTexts();
  const { place, head } = useDesk();
  const [tag, setTag] = useState('');
  const { data } = useQuery(tagsQuery(place.workspace));
  const names = (data?.tags ?? []).map((each) => each.tag).filter((name) => !head.tags.includes(name));
  return (
    <Autocomplete
      size="xs"
      autoFocus
      aria-label={texts.conversation.side.newTag}
      placeholder={texts.conversation.side.newTag}
      data={names}
      limit={6}
      maxLength={64}
      value={tag}
      onChange={setTag}
      onOptionSubmit={onAdd}
      onBlur={onCancel}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && tag.trim() !== '') {
          event.preventDefault();
          onAdd(tag.trim());
        } else if (event.key === 'Escape') {
          event.stopPropagation();
          onCancel();
        }
      }}
    />
  );
}
