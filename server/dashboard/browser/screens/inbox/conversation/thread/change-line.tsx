import type { Change } from '../../../../api/queries/conversation.ts';
import { Hand, type IconType } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import type { Catalogue } from '../../../../texts/english.ts';
import { useTexts } from '../../../../texts/texts.tsx';
import { nameOf, useDesk } from '../use-desk.ts';
import { useTimes } from '../use-times.ts';

/** A change of the conversation, as a thin line. */
export function ChangeLine({ change }: { readonly change: Change }) {
  const { texts } = useTexts();
  const { agents, name } = useDesk();
  const times = useTimes();
  const icon = iconOf(change);
  const described = describeChange(change, {
    texts,
    nameOf: (actor) => nameOf(agents, actor),
    visitor: name,
  });
  return (
    <p className="p-line">
      {icon !== null && <Icon of={icon} size={14} />}
      <span>
        {described}, <time title={times.exact(change.at)}>{times.clock(change.at)}</time>
      </span>
    </p>
  );
}

function iconOf({ action, details }: Change): IconType | null {
  return action === 'status_changed' && details.to === 'escalated' ? Hand : null;
}

interface Naming {
  readonly texts: Catalogue;
  readonly nameOf: (actor: string) => string;
  readonly visitor: string;
}

/** One change in words. */
export function describeChange(change: Change, naming: Naming): string {
  const { texts } = naming;
  const words = texts.conversation.changes;
  const { action, details } = change;
  const who = actorOf(change, naming);
  const to = typeof details.to === 'string' ? details.to : null;
  switch (action) {
    case 'status_changed':
      return describeStatus(change, naming);
    case 'assignee_changed':
      if (to === null) return words.unassigned(who);
      return naming.nameOf(to) === who ? words.took(who) : words.assigned(who, naming.nameOf(to));
    case 'tags_changed': {
      const tags = Array.isArray(details.to) ? details.to.map(String) : [];
      return tags.length === 0 ? words.noTags(who) : words.tags(who, tags.join(', '));
    }
    case 'priority_changed':
      return words.priority(who, labelOf(texts.conversation.priorities, to));
    case 'customer_changed':
      return words.customer(who);
    case 'lead_captured':
      return words.lead;
    case 'snooze_changed':
      return words.snoozed(who);
    case 'rated': {
      const { score } = details;
      return typeof score === 'number'
        ? words.rated(texts.conversation.side.ratingOf(score))
        : words.ratedPlain;
    }
    default:
      return words.other(who, labelOf(texts.audit.actions, action));
  }
}

function describeStatus(change: Change, naming: Naming): string {
  const { conversation } = naming.texts;
  const words = conversation.changes;
  const { from, to } = change.details;
  const who = actorOf(change, naming);
  if (to === 'escalated')
    return change.actor.includes('_')
      ? words.askedForPerson
      : words.status(who, conversation.statuses.escalated);
  if (to === 'resolved') return words.resolved(who);
  if (to === 'snoozed') return words.snoozed(who);
  if (from === 'snoozed' && (change.actor === 'snooze' || change.actor === 'system')) return words.woke;
  if (to === 'open' && from === 'resolved') return words.reopened(who);
  return words.status(who, labelOf(conversation.statuses, typeof to === 'string' ? to : null));
}

/** Skills act under their own names, such as `escalate_to_human`. */
function actorOf({ actor }: Change, { texts, nameOf: name, visitor }: Naming): string {
  const { actors } = texts.conversation.changes;
  if (actor === 'visitor') return visitor;
  if (actor === 'system' || actor === 'collect_lead' || actor === 'escalate_to_human') return actors.engine;
  return Object.entries(actors).find(([known]) => known === actor)?.[1] ?? name(actor);
}

function labelOf(labels: Readonly<Record<string, string>>, key: string | null): string {
  return labels[key ?? ''] ?? key ?? '';
}
