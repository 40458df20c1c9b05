import { useDebouncedValue } from '@mantine/hooks';
import type { SpotlightActionData } from '@mantine/spotlight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { countEnd, countsQuery, findConversations, viewsQuery } from '../api/queries/inbox.ts';
import { useMay, useNearestWorkspace } from '../api/queries/workspace.ts';
import { Inbox, TextQuote } from '../icons.ts';
import { Icon } from '../parts/icon.tsx';
import { KindIcon } from '../screens/channels/cards/kind-icon.tsx';
import { builtInViews, writePlace } from '../screens/inbox/views/address.ts';
import { customerName, kindName, useTexts } from '../texts/texts.tsx';

const leastLetters = 2;
/** The id of an answer, which the API also returns as `query_id`. */
const ANSWER_ID = /^msg_\w+$/;

/** The entries of the inbox in the command menu: its views, and the conversations with the typed words. */
export function useInboxCommands(typed: string) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const workspace = useNearestWorkspace()?.id ?? '';
  const mayRead = useMay('inbox:read') && workspace !== '';
  const navigate = useNavigate();
  const [text] = useDebouncedValue(typed.trim(), 150);
  const isLong = text.length >= leastLetters;
  const { data: counts } = useQuery({ ...countsQuery(workspace), enabled: mayRead });
  const { data: saved = [] } = useQuery({ ...viewsQuery(workspace), enabled: mayRead });
  const { data: found = [] } = useQuery({
    queryKey: ['inbox-search', workspace, text],
    queryFn: () => findConversations(workspace, text),
    enabled: mayRead && isLong,
    placeholderData: keepPreviousData,
  });
  if (!mayRead) return { views: [], conversations: [] };
  const toAnswer = (id: string): SpotlightActionData => ({
    id: `answer-${id}`,
    label: `${texts.frame.areas.answers}, ${id}`,
    keywords: [typed],
    leftSection: <Icon of={TextQuote} />,
    onClick: () => void navigate({ to: `/w/${workspace}/answers/${id}` }),
  });
  const answers = ANSWER_ID.test(text) ? [toAnswer(text)] : [];
  const toView = (
    id: string,
    name: string,
    count: number,
    search: Record<string, string>,
  ): SpotlightActionData => ({
    id: `inbox-view-${id}`,
    label: `${texts.frame.areas.inbox}, ${name}`,
    leftSection: <Icon of={Inbox} />,
    rightSection:
      count > 0 ? <span className="p-command-count">{words.count(count, countEnd(id))}</span> : undefined,
    onClick: () => void navigate({ to: `/w/${workspace}/inbox`, search }),
  });
  return {
    views: [
      ...answers,
      ...saved.map(({ id, name, filters, sort }) =>
        toView(id, name, counts?.saved[id] ?? 0, writePlace({ filters, sort, saved: id })),
      ),
      ...builtInViews.map((view) => toView(view, words.views[view], counts?.views[view] ?? 0, { view })),
    ],
    conversations: (isLong ? found : []).map((row): SpotlightActionData => {
      return {
        id: `conversation-${row.id}`,
        label: customerName(row, texts),
        description: row.visitor_words ?? row.last_line?.text ?? '',
        // The server has found it, so the menu need not find the words in its name.
        keywords: [typed, text],
        leftSection: <KindIcon kind={row.channel} label={kindName(row.channel, texts)} />,
        onClick: () => void navigate({ to: `/w/${workspace}/inbox/${row.id}`, search: { view: 'all' } }),
      };
    }),
  };
}
