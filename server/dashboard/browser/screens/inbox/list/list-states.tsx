import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { kindsQuery } from '../../../api/kinds.ts';
import { channelsQuery } from '../../../api/queries/channels.ts';
import { answersTodayQuery, countsQuery, inboxListQuery } from '../../../api/queries/inbox.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { AlarmClock, Check, Coffee, ExternalLink, Inbox, MessageCircle, UserRound } from '../../../icons.ts';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { toLink } from '../../../parts/to-link.ts';
import { customerName, useTexts } from '../../../texts/texts.tsx';
import { useDeskWords } from '../desk-words.ts';
import { isNarrowed, type Place } from '../views/address.ts';
import { describeDay } from './rows/waiting-time.tsx';

/** The list without rows: one calm line. */
export function EmptyList({ place, isFirst }: { readonly place: Place; readonly isFirst: boolean }) {
  const { texts } = useTexts();
  const words = texts.inbox.empty;
  const text = isFirst
    ? words.firstList
    : isNarrowed(place.filters)
      ? words.matches
      : place.filters.view === 'waiting'
        ? words.waiting
        : words.view;
  return (
    <p className="p-list-empty" role="status">
      {text}
    </p>
  );
}

/** The text beside the list while no conversation is open: the state, and the next useful step. */
export function Desk({ place, isEnded }: { readonly place: Place; readonly isEnded: boolean }) {
  const { texts } = useTexts();
  const ended = useDeskWords();
  const words = texts.inbox.empty;
  const workspace = useWorkspaceId();
  const { data: counts } = useQuery(countsQuery(workspace));
  if (counts === undefined) return null;
  if (counts.views.all === 0) return <FirstTime />;
  const isQuiet =
    place.filters.view === 'waiting' && !isNarrowed(place.filters) && counts.views.waiting === 0;
  if (isQuiet) return <NobodyWaits mine={counts.views.mine} />;
  if (isEnded) return <EmptyState icon={Check} title={ended.ended} text={ended.endedText} />;
  return <EmptyState icon={Inbox} title={words.choose} text={words.chooseText} />;
}

interface NobodyWaitsProps {
  readonly mine: number;
}

function NobodyWaits({ mine }: NobodyWaitsProps) {
  const { texts, language } = useTexts();
  const words = texts.inbox.empty;
  const workspace = useWorkspaceId();
  const { data: today } = useQuery(answersTodayQuery(workspace));
  const { data: snoozed } = useInfiniteQuery(snoozedQuery(workspace));
  const [next] = (snoozed?.pages[0]?.conversations ?? [])
    .filter(({ snooze_until: until }) => until !== null)
    .toSorted((a, b) => Date.parse(a.snooze_until ?? '') - Date.parse(b.snooze_until ?? ''));
  const action = (view: string, label: string) => (
    <Button
      variant="default"
      size="xs"
      renderRoot={(props) => <Link {...toLink(`/w/${workspace}/inbox?view=${view}`)} {...props} />}
    >
      {label}
    </Button>
  );
  const steps = [
    ...(today != null && today.answered > 0
      ? [
          {
            icon: MessageCircle,
            text: words.answeredToday(today.answered, today.low),
            action: today.low > 0 ? action('low_confidence', words.look) : action('all', words.lookAtAll),
          },
        ]
      : []),
    ...(mine > 0
      ? [{ icon: UserRound, text: words.mine(mine), action: action('mine', words.showMine) }]
      : []),
    ...(next?.snooze_until == null
      ? []
      : [
          {
            icon: AlarmClock,
            text: words.snoozed(
              customerName(next, texts),
              describeDay(next.snooze_until, Date.now(), language),
            ),
            action: action('snoozed', words.isSnoozed),
          },
        ]),
  ];
  return <EmptyState icon={Coffee} title={words.nobodyWaits} text={words.nobodyWaitsText} steps={steps} />;
}

const snoozedQuery = (workspace: string) =>
  inboxListQuery({ workspace, filters: { view: 'snoozed' }, sort: undefined });

/** No visitor has written yet: agents can begin the first conversation themselves. */
function FirstTime() {
  const { texts } = useTexts();
  const words = texts.inbox.empty;
  const workspace = useWorkspaceId();
  const mayRead = useMay('channels:read');
  const { data: channels } = useQuery({ ...channelsQuery(workspace), enabled: mayRead });
  const { data: kinds } = useQuery(kindsQuery());
  const chats =
    kinds?.kinds.filter(({ facets }) => facets.includes('own_chat')).map(({ kind }) => kind) ?? [];
  const chat = channels?.channels.find(
    ({ channel, enabled, chat_url: url }) => enabled && url !== null && chats.includes(channel),
  );
  const address = chat?.chat_url ?? undefined;
  return (
    <EmptyState
      icon={MessageCircle}
      title={words.first}
      text={address === undefined ? words.noDemoText : words.firstText}
      action={
        address === undefined ? (
          <Button component={Link} to={`/w/${workspace}/channels`}>
            {words.noDemo}
          </Button>
        ) : (
          <Button
            component="a"
            href={address}
            target="_blank"
            rel="noreferrer"
            rightSection={<ExternalLink size={14} aria-hidden="true" />}
          >
            {words.demo}
          </Button>
        )
      }
    />
  );
}
