import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  type Conversation,
  conversationQuery,
  type DraftKind,
  deleteDraft,
  type Place,
  refreshLists,
  saveDraft,
} from '../../../api/queries/conversation.ts';

type Stored = Conversation['draft'];

/** `idle`: there is nothing to save. */
export type SaveState = 'idle' | 'changed' | 'saving' | 'saved' | 'failed';

const saveAfterMs = 1_000;
const retryAfterMs = 3_000;

interface DraftOptions {
  readonly place: Place;
  /** As the server has it. */
  readonly stored: Stored;
  /** Texts that are being sent now: the server forgets them once they are. */
  readonly leaving: readonly string[];
}

/** The texts of the composer, which the server keeps for the person: they go on writing in another browser. */
export function useDraft({ place, stored, leaving }: DraftOptions) {
  const client = useQueryClient();
  const [kind, setKind] = useState<DraftKind>(() => stored?.kind ?? 'reply');
  const [texts, setTexts] = useState(() => ({ reply: '', note: '' }));
  const [state, setState] = useState<SaveState>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The draft on the server, as far as this page knows. */
  const known = useRef({ at: '', content: '' });
  const pending = useRef<{ readonly kind: DraftKind; readonly content: string } | null>(null);
  const running = useRef<Promise<unknown>>(Promise.resolve());
  const { workspace, conversation } = place;

  const save = useCallback(() => {
    clearTimeout(timer.current);
    const draft = pending.current;
    if (draft === null) return running.current;
    pending.current = null;
    setState('saving');
    const target = { workspace, conversation };
    const { queryKey } = conversationQuery(target);
    const keep = (next: Stored) => {
      const head = client.getQueryData(queryKey);
      if (head === undefined) return;
      client.setQueryData(queryKey, { ...head, draft: next });
      if ((head.draft === null) !== (next === null)) void refreshLists(client, workspace);
    };
    const isEmpty = draft.content.trim() === '';
    // A person who comes back to the conversation finds the text before the server has it.
    keep(isEmpty ? null : { ...draft, updated_at: known.current.at });
    const store = async () => {
      try {
        const result = isEmpty ? await deleteDraft(target).then(() => null) : await saveDraft(target, draft);
        known.current = { at: result?.updated_at ?? known.current.at, content: result?.content ?? '' };
        if (pending.current !== null) return;
        keep(result);
        setState(result === null ? 'idle' : 'saved');
      } catch {
        setState('failed');
        pending.current ??= draft;
        timer.current = setTimeout(save, retryAfterMs);
      }
    };
    // One after the other: the last text wins.
    running.current = running.current.then(store);
    return running.current;
  }, [client, workspace, conversation]);

  const write = useCallback(
    (next: DraftKind, content: string) => {
      setTexts((before) => ({ ...before, [next]: content }));
      pending.current = { kind: next, content };
      setState('changed');
      clearTimeout(timer.current);
      timer.current = setTimeout(save, saveAfterMs);
    },
    [save],
  );

  // A draft of another browser is taken over while nothing is being written here.
  useEffect(() => {
    if (pending.current !== null) return;
    const at = stored?.updated_at ?? '';
    if (stored === null) {
      const { content } = known.current;
      if (content === '' || state !== 'idle') return;
      known.current = { at: known.current.at, content: '' };
      setTexts((before) => ({ reply: without(before.reply, content), note: without(before.note, content) }));
      return;
    }
    if (at <= known.current.at) return;
    known.current = { at, content: stored.content };
    if (leaving.includes(stored.content.trim())) return;
    setKind(stored.kind);
    setTexts((before) => ({ ...before, [stored.kind]: stored.content }));
  }, [stored, state, leaving]);

  useEffect(() => {
    addEventListener('pagehide', save);
    return () => {
      removeEventListener('pagehide', save);
      void save();
    };
  }, [save]);

  /** Empties one of the texts, as it is sent. Resolves when nothing of it is being saved any more. */
  const take = useCallback(
    (which: DraftKind): Promise<unknown> => {
      const settled = save();
      setTexts((before) => ({ ...before, [which]: '' }));
      setState('idle');
      return settled;
    },
    [save],
  );

  return { kind, setKind, texts, write, take, save, state };
}

const without = (text: string, gone: string) => (text === gone ? '' : text);
