import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Suggestion, suggestionQuery, timelineQuery } from '../../../api/queries/conversation.ts';
import { useDesk } from '../conversation/use-desk.ts';

/** No draft is requested for conversations that the person only passes with J and K. */
const lingerMs = 400;

interface Asked {
  /** The visitor's last message, to which the draft replies. */
  readonly message: string;
  readonly round: number;
}

/** `outdated`: the visitor has written again, so the draft was dropped. */
type SuggestionState = 'none' | 'asking' | 'ready' | 'nothing' | 'failed' | 'outdated';

export interface OfferedSuggestion {
  readonly state: SuggestionState;
  /** Null unless it can be taken. */
  readonly text: string | null;
  readonly data: Suggestion | null;
  readonly ask: () => void;
  readonly dismiss: () => void;
  /** Returns the text and removes the draft. */
  readonly take: () => string | null;
}

/** A draft from the documents, requested when a waiting conversation is opened. */
export function useSuggestion(): OfferedSuggestion {
  const { place, head } = useDesk();
  const { data: timeline } = useInfiniteQuery(timelineQuery(place));
  const messages = useMemo(
    () => timeline?.pages.flatMap(({ entries }) => entries).filter((entry) => entry.kind === 'message') ?? [],
    [timeline],
  );
  const newest = messages[0]?.message;
  const asksLast = newest !== undefined && newest.role !== 'agent';
  const question = messages.find(({ message }) => message.role === 'user')?.message.id ?? null;
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isDismissed, setDismissed] = useState(false);
  const waits = head.waiting_since !== null && asksLast;
  const isFirst = asked === null && !isDismissed;
  useEffect(() => {
    if (!waits || !isFirst || question === null) return;
    const timer = setTimeout(() => setAsked({ message: question, round: 0 }), lingerMs);
    return () => clearTimeout(timer);
  }, [waits, isFirst, question]);
  const { data, error, isFetching } = useQuery({
    ...suggestionQuery(place, asked?.message ?? '', asked?.round ?? 0),
    enabled: asked !== null,
  });
  const isOutdated = asked !== null && question !== asked.message;
  const text = isOutdated || isDismissed || !asksLast ? null : (data?.text ?? null);
  const dismiss = useCallback(() => setDismissed(true), []);
  const ask = () => {
    if (question === null) return;
    setDismissed(false);
    setAsked((before) => ({ message: question, round: (before?.round ?? -1) + 1 }));
  };
  const state = (): SuggestionState => {
    if (asked === null || isDismissed || !asksLast) return 'none';
    if (isOutdated) return 'outdated';
    if (isFetching) return 'asking';
    if (error !== null) return 'failed';
    // Only a person who requests a draft is told that there is no question.
    if (data === undefined || (data.question === '' && asked.round === 0)) return 'none';
    return data.text === null ? 'nothing' : 'ready';
  };
  const take = () => {
    setDismissed(true);
    return text;
  };
  return { state: state(), text, data: data ?? null, ask, dismiss, take };
}
