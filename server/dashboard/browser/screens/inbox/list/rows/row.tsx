import { memo } from 'react';
import type { InboxRow } from '../../../../api/queries/inbox.ts';
import {
  AlarmClock,
  BadgeCheck,
  Bot,
  Check,
  ChevronsUp,
  ChevronUp,
  Pencil,
  UserPlus,
} from '../../../../icons.ts';
import { useVisitorTyping } from '../../../../live/live-state.ts';
import { useOthers } from '../../../../live/presence.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { customerName, kindName, useTexts } from '../../../../texts/texts.tsx';
import { KindIcon } from '../../../channels/cards/kind-icon.tsx';
import { useTileStyle } from '../../../channels/cards/kind-tile.tsx';
import { Letters } from './letters.tsx';
import type { Trouble } from './row-edits.ts';
import { WaitingTime } from './waiting-time.tsx';

interface RowProps {
  readonly row: InboxRow;
  readonly isCurrent: boolean;
  /** Whether it is open. */
  readonly isOpen: boolean;
  readonly isPicked: boolean;
  /** Whether it has left the list and stays only while the pointer is on it. */
  readonly isGone: boolean;
  readonly trouble: Trouble | undefined;
  readonly me: string;
  readonly now: number;
  readonly mayWrite: boolean;
}

/** One conversation of the list. The list handles its clicks, by the name in `data-act`. */
export const Row = memo(function Row({
  row,
  isCurrent,
  isOpen,
  isPicked,
  isGone,
  trouble,
  me,
  now,
  mayWrite,
}: RowProps) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const { channel, assignee, priority } = row;
  const channelName = kindName(channel, texts);
  const tileStyle = useTileStyle(channel);
  const unread = isOpen ? 0 : row.unread;
  const others = useOthers(row.id);
  const name = customerName(row, texts);
  const present = others.find(({ doing }) => doing === 'writing') ?? others[0] ?? assignee;
  return (
    <div
      className="p-row"
      data-current={isCurrent || undefined}
      data-picked={isPicked || undefined}
      data-gone={isGone || undefined}
    >
      {unread > 0 && <span className="p-row-unread" role="img" aria-label={words.unreadMessages(unread)} />}
      <span className="p-row-tile p-kind-tile" style={tileStyle} data-act="pick" title={channelName}>
        <KindIcon kind={channel} size={15} label={channelName} />
        <span className="p-row-box" aria-hidden="true">
          {isPicked && <Icon of={Check} size={12} />}
        </span>
      </span>
      <span className="p-row-top">
        <span className="p-row-name" data-unread={unread > 0 || undefined} title={name}>
          {name}
        </span>
        {row.customer.email_verified === true && (
          <span className="p-row-verified" title={texts.conversation.side.verifiedHint}>
            <Icon of={BadgeCheck} size={13} label={texts.conversation.side.verified} />
          </span>
        )}
        {(priority === 'urgent' || priority === 'high') && (
          <span className="p-row-priority" data-priority={priority}>
            <Icon
              of={priority === 'urgent' ? ChevronsUp : ChevronUp}
              size={14}
              label={words.priorityIs(words.priorities[priority])}
            />
          </span>
        )}
        <WaitingTime row={row} now={now} />
        {mayWrite && (
          <span className="p-row-acts" aria-hidden="true">
            <span data-act="snooze" title={`${words.actions.snooze}  S`}>
              <Icon of={AlarmClock} />
            </span>
            <span data-act="assign" title={`${words.actions.assign}  A`}>
              <Icon of={UserPlus} />
            </span>
            <span data-act="resolve" title={`${words.actions.resolve}  E`}>
              <Icon of={Check} />
            </span>
          </span>
        )}
      </span>
      <span className="p-row-bottom">
        {trouble === undefined ? (
          <LastLine row={row} name={name} me={me} isGone={isGone} />
        ) : (
          <>
            <span className="p-row-text p-row-trouble" title={trouble.text}>
              {trouble.text}
            </span>
            <span className="p-row-retry" data-act="retry">
              {words.actions.retry} <kbd className="p-key">Y</kbd>
            </span>
          </>
        )}
        {trouble === undefined && <Tags tags={row.tags} />}
        {trouble === undefined && present !== null && present !== undefined && <Letters person={present} />}
      </span>
    </div>
  );
});

interface LastLineProps {
  readonly row: InboxRow;
  readonly name: string;
  readonly me: string;
  readonly isGone: boolean;
}

function LastLine({ row, name, me, isGone }: LastLineProps) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const typing = useVisitorTyping(row.id);
  const writing = useOthers(row.id).find(({ doing }) => doing === 'writing');
  if (isGone) return <span className="p-row-text">{words.gone}</span>;
  if (writing !== undefined) {
    return <span className="p-row-text p-row-live">{words.isWriting(firstWord(writing.name))}</span>;
  }
  if (typing) return <span className="p-row-text p-row-live">{words.isTyping(firstWord(name))}</span>;
  const { last_line: line, has_draft: hasDraft, visitor_words: asked, found } = row;
  if (found !== null) {
    return (
      <span className="p-row-text" title={found}>
        <span className="p-row-asked">{found}</span>
      </span>
    );
  }
  const after = line !== null && line.role !== 'user' ? line : null;
  return (
    <span className="p-row-text" title={[asked, after?.text].filter(Boolean).join('\n') || line?.text}>
      {hasDraft && (
        <span className="p-row-draft">
          <Icon of={Pencil} size={12} /> {words.draft}
        </span>
      )}
      {asked !== null && <span className="p-row-asked">{asked}</span>}
      {asked !== null && after !== null && <span className="p-row-after"> · </span>}
      {(asked === null || after !== null) && (
        <span {...(asked !== null && { className: 'p-row-after' })}>
          {after?.role === 'assistant' && (
            <Icon of={Bot} size={14} label={words.assistant} className="p-row-bot" />
          )}
          {after?.role === 'agent' && (
            <span className="p-row-who">
              {after.author_id === me ? words.you : firstWord(after.author ?? words.somebody)}:{' '}
            </span>
          )}
          {line?.text ?? words.noMessage}
        </span>
      )}
    </span>
  );
}

const shownTags = 2;

function Tags({ tags }: { readonly tags: readonly string[] }) {
  const { texts } = useTexts();
  const more = tags.length - shownTags;
  return (
    <>
      {tags.slice(0, shownTags).map((tag) => (
        <span key={tag} className="p-tag p-row-tag" title={tag}>
          {tag}
        </span>
      ))}
      {more > 0 && (
        <span className="p-tag p-row-tag p-row-more" title={tags.join(', ')}>
          {texts.inbox.moreTags(more)}
        </span>
      )}
    </>
  );
}

function firstWord(name: string): string {
  return name.split(' ', 1)[0] ?? name;
}
