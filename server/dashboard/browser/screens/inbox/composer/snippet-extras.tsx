import { X } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { nameOf, useDesk } from '../conversation/use-desk.ts';
import type { WithReply } from './outbox.ts';

interface SnippetExtrasProps {
  readonly extra: WithReply;
  readonly onChange: (extra: WithReply) => void;
}

/** The actions of snippets besides their text. They run with the reply, and can be left out. */
export function SnippetExtras({ extra, onChange }: SnippetExtrasProps) {
  const { texts } = useTexts();
  const { composer: words, priorities, statuses, actions, side } = texts.conversation;
  const { agents } = useDesk();
  const { tags = [], priority, status, assignee_id: assignee, ...rest } = extra;
  const chips = [
    ...tags.map((tag) => ({
      name: words.withTag(tag),
      without: () => onChange({ ...extra, tags: tags.filter((each) => each !== tag) }),
    })),
    ...(priority === undefined
      ? []
      : [
          {
            name: words.withPriority(priorities[priority]),
            without: () => onChange(omit(extra, 'priority')),
          },
        ]),
    ...(status === undefined
      ? []
      : [{ name: words.withStatus(statuses[status]), without: () => onChange(omit(extra, 'status')) }]),
    ...(assignee === undefined
      ? []
      : [
          {
            name: assignee === null ? actions.unassign : words.withAssign(nameOf(agents, assignee)),
            without: () => onChange(omit(extra, 'assignee_id')),
          },
        ]),
  ];
  if (chips.length === 0 || Object.keys(rest).length > 0) return null;
  return (
    <div className="p-extras">
      <span>{words.with}</span>
      {chips.map(({ name, without }) => (
        <span key={name} className="p-tag">
          {name}
          <button
            type="button"
            aria-label={words.without(name)}
            title={side.removeTag(name)}
            onClick={without}
          >
            <Icon of={X} size={12} />
          </button>
        </span>
      ))}
    </div>
  );
}

function omit(extra: WithReply, left: keyof WithReply): WithReply {
  return Object.fromEntries(Object.entries(extra).filter(([name]) => name !== left));
}
