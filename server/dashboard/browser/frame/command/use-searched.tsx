import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { findDocuments } from '../../api/queries/documents.ts';
import { findConversations, type InboxRow } from '../../api/queries/inbox.ts';
import { useMay, useNearestWorkspace } from '../../api/queries/workspace.ts';
import { FileText, TextQuote, UserRound } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { KindIcon } from '../../screens/channels/cards/kind-icon.tsx';
import { writePlace } from '../../screens/inbox/views/address.ts';
import { customerName, kindName, useTexts } from '../../texts/texts.tsx';
import type { Command } from './command.ts';
import { useCommandWords } from './command-words.ts';

/** With fewer letters nearly everything fits. */
export const LEAST_LETTERS = 2;
/** How long an answer counts as fresh, in milliseconds. */
export const KEPT_MS = 60_000;

interface Asked {
  readonly name:
    | 'documents'
    | 'conversations'
    | 'visitors'
    | 'people'
    | 'channels'
    | 'developers'
    | 'settings';
  readonly query: Pick<UseQueryResult, 'isError' | 'isFetching' | 'refetch'>;
}

/** Entries, and the questions that they come from. */
export interface Part {
  readonly commands: readonly Command[];
  readonly queries: readonly Asked[];
}

/** Finds things by the words. The next pause in the typing cancels the question of the one before. */
export function useSearched(text: string, isTyped: boolean): Part {
  const { texts } = useTexts();
  const words = useCommandWords();
  const workspace = useNearestWorkspace()?.id ?? '';
  const mayRead = useMay('knowledge:read') && workspace !== '';
  const mayTalk = useMay('inbox:read') && workspace !== '';
  const isLong = isTyped && text.length >= LEAST_LETTERS;
  const common = { placeholderData: keepPreviousData, staleTime: KEPT_MS };
  const documents = useQuery({
    ...common,
    queryKey: ['documents', workspace, 'command', text],
    queryFn: ({ signal }) => findDocuments(workspace, text, signal),
    enabled: mayRead && isLong,
  });
  const conversations = useQuery({
    ...common,
    queryKey: ['inbox-search', workspace, 'q', text],
    queryFn: ({ signal }) => findConversations(workspace, { q: text }, signal),
    enabled: mayTalk && isLong,
  });
  const visitors = useQuery({
    ...common,
    queryKey: ['inbox-search', workspace, 'customer', text],
    queryFn: ({ signal }) => findConversations(workspace, { customer: text }, signal),
    enabled: mayTalk && isLong,
  });
  const named = mayTalk ? (visitors.data ?? []) : [];
  const said = mayTalk ? (conversations.data ?? []) : [];
  return {
    queries: [
      { name: 'documents', query: documents },
      { name: 'conversations', query: conversations },
      { name: 'visitors', query: visitors },
    ],
    commands: [
      ...(mayRead ? (documents.data ?? []) : []).map(({ id, title, file_name: file, url, chunks }) => ({
        id: `document-${id}`,
        group: 'documents' as const,
        label: title,
        description: file ?? url ?? '',
        icon: <Icon of={FileText} />,
        count: words.passages(chunks),
        to: `/w/${workspace}/knowledge/documents/${id}`,
        isFound: true,
      })),
      ...said.map((row) => ({
        id: `conversation-${row.id}`,
        group: 'conversations' as const,
        label: customerName(row, texts),
        description: row.found ?? row.visitor_words ?? row.last_line?.text ?? '',
        icon: <KindIcon kind={row.channel} label={kindName(row.channel, texts)} />,
        to: `/w/${workspace}/inbox/${row.id}?view=all`,
        isFound: true,
      })),
      ...listVisitors(named).map(({ id, customer, ...row }) => {
        const { name, email, phone } = customer;
        const filters = email === null ? { customer: row.handle ?? '' } : { email };
        const search = new URLSearchParams(writePlace({ filters, sort: undefined, saved: undefined }));
        return {
          id: `visitor-${id}`,
          group: 'visitors' as const,
          label: customerName(row, texts),
          description: [email, phone].filter((each) => each !== null && name !== null).join(', '),
          icon: <Icon of={UserRound} />,
          to: `/w/${workspace}/inbox?${search}`,
          isFound: true,
        };
      }),
    ],
  };
}

/** One conversation of each customer. */
function listVisitors(rows: readonly InboxRow[]): readonly InboxRow[] {
  const keyOf = ({ id, customer: { email, phone, name } }: InboxRow) => email ?? phone ?? name ?? id;
  return [...new Map(rows.toReversed().map((row) => [keyOf(row), row])).values()].toReversed();
}

/** The addresses of things by their ids, as logs and the API name them. */
const places: readonly (readonly [RegExp, string, string])[] = [
  [/^msg_\w+$/, 'answers/', 'inbox:read'],
  [/^doc_\w+$/, 'knowledge/documents/', 'knowledge:read'],
  [/^conv_\w+$/, 'inbox/', 'inbox:read'],
  [/^chan_\w+$/, 'channels/', 'channels:read'],
  [/^src_\w+$/, 'knowledge/sources/', 'knowledge:read'],
  [/^hook_\w+$/, 'settings/webhooks/', 'developers:read'],
];

/** Returns the entry that a pasted id leads to. The id of an answer is the `query_id` of the API. */
export function useById(typed: string, may: (permission: string) => boolean): readonly Command[] {
  const { texts } = useTexts();
  const words = useCommandWords();
  const workspace = useNearestWorkspace()?.id;
  const id = typed.trim();
  const [, path, permission] = places.find(([pattern]) => pattern.test(id)) ?? [];
  if (workspace === undefined || path === undefined || permission === undefined || !may(permission))
    return [];
  const isAnswer = path === 'answers/';
  return [
    {
      id: `open-${id}`,
      group: 'goTo',
      label: isAnswer ? `${texts.frame.areas.answers}, ${id}` : words.openId(id),
      icon: <Icon of={TextQuote} />,
      to: `/w/${workspace}/${path}${id}`,
      isFound: true,
    },
  ];
}
