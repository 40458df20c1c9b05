import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import type { DraftKind } from '../../../api/queries/conversation.ts';
import { snippetsQuery } from '../../../api/queries/snippets.ts';
import { useWorkspace } from '../../../api/queries/workspace.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { fillVariables } from '../conversation/snippet-variables.ts';
import { useDesk } from '../conversation/use-desk.ts';
import type { WithReply } from './outbox.ts';
import { type Choice, Picker } from './picker.tsx';
import { type Ending, nextEnding } from './sending/endings.ts';

/** The calls of the composer to its field. */
export interface TextBoxHandle {
  readonly focus: () => void;
  readonly openSnippets: () => void;
}

interface TextBoxProps {
  readonly ref: Ref<TextBoxHandle>;
  readonly kind: DraftKind;
  readonly value: string;
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
  readonly onSnippet: (extra: WithReply) => void;
  readonly onSend: (ending: Ending) => void;
  /** Takes the AI draft; null if there is none. */
  readonly onTab: (() => void) | null;
}

/** The words between a sign and the cursor, which search snippets and people. */
interface Trigger {
  readonly sign: 'snippet' | 'person';
  /** Where the sign stands. */
  readonly at: number;
  readonly words: string;
}

/** The field of the composer: `;` or `/` inserts a snippet, and `@` in notes a person. */
export function TextBox({ ref, kind, value, placeholder, onChange, onSnippet, onSend, onTab }: TextBoxProps) {
  const { texts } = useTexts();
  const words = texts.conversation.composer;
  const field = useRef<HTMLTextAreaElement>(null);
  const [trigger, setTrigger] = useState<Trigger | null>(null);
  const [active, setActive] = useState(0);
  const list = useId();
  const choices = useChoices(trigger);

  const find = (text: string, cursor: number) => {
    setTrigger(findTrigger(text, cursor, kind));
    setActive(0);
  };
  useImperativeHandle(
    ref,
    () => ({
      focus: () => {
        focusAtEnd(field.current);
        // It runs again after the next paint, because the text may change with it.
        requestAnimationFrame(() => focusAtEnd(field.current));
      },
      openSnippets: () => {
        const gap = value === '' || /\s$/.test(value) ? '' : ' ';
        onChange(`${value}${gap};`);
        setTrigger({ sign: 'snippet', at: value.length + gap.length, words: '' });
        setActive(0);
        requestAnimationFrame(() => focusAtEnd(field.current));
      },
    }),
    [value, onChange],
  );

  const choose = (choice: Choice) => {
    if (trigger === null) return;
    const end = trigger.at + 1 + trigger.words.length;
    const before = value.slice(0, trigger.at);
    onChange(`${before}${choice.text}${value.slice(end)}`);
    if (choice.extra !== undefined) onSnippet(choice.extra);
    setTrigger(null);
    const cursor = before.length + choice.text.length;
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(cursor, cursor);
    });
  };

  /** Returns whether the list used the key. */
  const steer = (event: KeyboardEvent): boolean => {
    if (trigger === null) return false;
    if (event.key === 'Escape') {
      setTrigger(null);
      return true;
    }
    const chosen = choices[active];
    if (chosen === undefined) return false;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((active + step + choices.length) % choices.length);
      return true;
    }
    if ((event.key !== 'Enter' && event.key !== 'Tab') || isWithMod(event)) return false;
    choose(chosen);
    return true;
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (steer(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Enter' && isWithMod(event)) {
      event.preventDefault();
      onSend(event.shiftKey ? nextEnding.read() : 'stay');
    } else if (event.key === 'Tab' && !event.shiftKey && value === '' && onTab !== null) {
      event.preventDefault();
      onTab();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      field.current?.blur();
    }
  };

  const isListed = trigger !== null && (choices.length > 0 || trigger.sign === 'snippet');
  return (
    <div className="p-composer-text">
      <Textarea
        ref={field}
        {...(growsByStyle ? { rows: 2 } : { autosize: true, minRows: 2, maxRows: 10 })}
        variant="unstyled"
        dir="auto"
        aria-label={words[kind]}
        aria-autocomplete="list"
        {...(isListed && { 'aria-controls': list })}
        {...(isListed && choices[active] !== undefined && { 'aria-activedescendant': `${list}-${active}` })}
        placeholder={placeholder}
        value={value}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value);
          find(currentTarget.value, currentTarget.selectionStart);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setTrigger(null)}
      />
      {isListed && (
        <Picker
          id={list}
          label={trigger.sign === 'snippet' ? words.snippets : words.people}
          empty={trigger.words === '' ? words.noSnippets : words.noSnippet}
          choices={choices}
          active={active}
          onChoose={choose}
        />
      )}
    </div>
  );
}

/**
 * Measuring the text costs a layout each time the field is drawn. Browsers that size the field themselves do not need
 * it.
 */
const growsByStyle = CSS.supports('field-sizing: content');

const isWithMod = (event: KeyboardEvent) => event.ctrlKey || event.metaKey;

function focusAtEnd(field: HTMLTextAreaElement | null): void {
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}

/** Signs count at the beginning of a word only, so `and/or` and addresses stay text. */
function findTrigger(text: string, cursor: number, kind: DraftKind): Trigger | null {
  const before = text.slice(Math.max(0, cursor - 64), cursor);
  const from = cursor - before.length;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const char = before[at] ?? '';
    if (char === '\n') return null;
    if (char !== ';' && char !== '/' && char !== '@') continue;
    const previous = text[from + at - 1];
    if (previous !== undefined && previous !== ' ' && previous !== '\n') return null;
    const words = before.slice(at + 1);
    if (char === '@') return kind === 'note' ? { sign: 'person', at: from + at, words } : null;
    return words.startsWith(' ') ? null : { sign: 'snippet', at: from + at, words };
  }
  return null;
}

const mostChoices = 8;

function useChoices(trigger: Trigger | null): readonly Choice[] {
  const { place, head, agents, me } = useDesk();
  const workspace = useWorkspace();
  const { data } = useQuery({ ...snippetsQuery(place.workspace), enabled: trigger?.sign === 'snippet' });
  if (trigger === null) return [];
  const wanted = trigger.words.toLowerCase();
  if (trigger.sign === 'person') {
    return agents
      .filter(
        ({ id, name }) => id !== me.id && name.toLowerCase().startsWith(wanted) && name !== trigger.words,
      )
      .slice(0, mostChoices)
      .map(({ id, name, email }) => ({ id, name, hint: email, text: `@${name} ` }));
  }
  const snippets = data?.snippets ?? [];
  const byName = snippets.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const byText = snippets.filter(
    (each) => !byName.includes(each) && `${each.name} ${each.text}`.toLowerCase().includes(wanted),
  );
  const values = {
    'customer.name': head.customer.name,
    'customer.email': head.customer.email,
    'agent.name': me.name,
    'workspace.name': workspace?.name ?? '',
    'conversation.id': head.id,
  };
  return [...byName, ...byText].slice(0, mostChoices).map(({ id, name, text, tags, actions }) => {
    const { assign, ...rest } = actions;
    const assignee = assign === 'me' ? me.id : assign === 'none' ? null : assign;
    const extra: WithReply = {
      ...rest,
      ...(tags.length > 0 && { tags }),
      ...(assignee !== undefined && { assignee_id: assignee }),
    };
    const filled = fillVariables(text, values);
    return { id, name, hint: filled, text: filled, extra };
  });
}
