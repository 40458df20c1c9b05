import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import {
  type Conversation,
  conversationQuery,
  type DraftKind,
  type Place,
  refreshLists,
} from '../../../../api/queries/conversation.ts';
import type { WithReply } from '../outbox.ts';
import { type Draft, deleteDraft, saveDraft } from './draft-api.ts';
import { DraftKeeper, type DraftStore, type DraftText, type UnsavedText } from './draft-keeper.ts';

interface DraftOptions {
  readonly place: Place;
  /** The signed-in person. */
  readonly person: string;
  /** As the server has them. */
  readonly stored: Conversation['drafts'];
  /** Texts that are being sent; the server deletes their drafts afterwards. */
  readonly leaving: readonly string[];
}

/** The texts of the composer. The server keeps them for the person, who can continue on another device. */
export function useDraft({ place, person, stored, leaving }: DraftOptions) {
  const [kind, setKind] = useState<DraftKind>(() => stored[0]?.kind ?? 'reply');
  const options = { place, person, stored, leaving };
  const reply = useKeeper('reply', options);
  const note = useKeeper('note', options);
  const own = useMemo(() => ({ reply: reply.keeper, note: note.keeper }), [reply.keeper, note.keeper]);
  const { content, ...shown } = kind === 'reply' ? reply.view : note.view;
  return {
    kind,
    setKind,
    texts: { reply: reply.view.content, note: note.view.content },
    ...shown,
    keeper: own[kind],
    write: useCallback((which: DraftKind, change: Partial<DraftText>) => own[which].write(change), [own]),
    take: useCallback((which: DraftKind) => own[which].take(), [own]),
  };
}

/** The keepers by conversation and kind. One that is still saving outlives its composer. */
const keepers = new Map<string, DraftKeeper>();

function useKeeper(kind: DraftKind, { place, person, stored, leaving }: DraftOptions) {
  const client = useQueryClient();
  const { workspace, conversation } = place;
  const key = `parley-unsaved:${person}:${conversation}:${kind}`;
  const latest = useRef(leaving);
  latest.current = leaving;
  const keeper = useMemo(() => {
    const known = keepers.get(key);
    if (known !== undefined) return known;
    const made = new DraftKeeper(
      openStore(client, { workspace, conversation }, { kind, key }),
      (content) => kind === 'reply' && latest.current.includes(content),
    );
    keepers.set(key, made);
    return made;
  }, [client, workspace, conversation, kind, key]);
  const view = useSyncExternalStore(keeper.subscribe, keeper.view);
  const draft = stored.find((each) => each.kind === kind) ?? null;
  const before = useRef(leaving);
  useEffect(() => {
    keeper.observe(draft, (content) => kind === 'reply' && leaving.includes(content));
    for (const content of before.current) if (!leaving.includes(content)) keeper.forgetSent(content);
    before.current = leaving;
  }, [keeper, kind, draft, leaving]);
  useEffect(() => {
    keepers.set(key, keeper);
    addEventListener('pagehide', keeper.flush);
    return () => {
      removeEventListener('pagehide', keeper.flush);
      void keeper.flush().then(() => {
        if (keeper.isSettled && keepers.get(key) === keeper) keepers.delete(key);
      });
    };
  }, [keeper, key]);
  return { keeper, view };
}

interface Kept {
  readonly kind: DraftKind;
  /** The key of the copy in this browser. */
  readonly key: string;
}

function openStore(client: QueryClient, place: Place, { kind, key }: Kept): DraftStore {
  const { queryKey } = conversationQuery(place);
  const reread = () => void client.invalidateQueries({ queryKey, exact: true });
  const show = async (draft: Draft | null) => {
    // A pending answer does not contain the change yet.
    const isReading = client.isFetching({ queryKey, exact: true }) > 0;
    if (isReading) await client.cancelQueries({ queryKey, exact: true });
    const head = client.getQueryData(queryKey);
    if (head !== undefined) {
      const others = head.drafts.filter((each) => each.kind !== kind);
      const drafts = draft === null ? others : [draft, ...others];
      client.setQueryData(queryKey, { ...head, drafts });
      if ((head.drafts.length === 0) !== (drafts.length === 0)) void refreshLists(client, place.workspace);
    }
    if (isReading) reread();
  };
  return {
    reread,
    onStored: (draft) => void show(draft),
    save: ({ base, otherSavedAt, ...text }) =>
      saveDraft(place, {
        ...{ kind, base_updated_at: base, ...toBody(text) },
        ...(otherSavedAt !== null && { other_saved_at: otherSavedAt }),
      }),
    remove: (base) => deleteDraft(place, { kind, base }),
    readUnsaved: () => readUnsaved(key),
    keepUnsaved: (text) => keepUnsaved(key, text),
  };
}

interface Texts extends Omit<UnsavedText, 'base'> {
  readonly other?: Omit<UnsavedText, 'base'> | null;
}

const toBody = ({ content, actions, other }: Texts) => ({
  ...{ content, actions: filled(actions) },
  ...(other !== undefined && { other: other && { content: other.content, actions: filled(other.actions) } }),
});

const filled = (actions: WithReply) => (Object.keys(actions).length === 0 ? null : actions);

function readUnsaved(key: string): UnsavedText | null {
  try {
    const stored = localStorage.getItem(key);
    if (stored === null) return null;
    const text: UnsavedText = JSON.parse(stored);
    return typeof text.content === 'string' ? text : null;
  } catch {
    // Storage is off, or another program has written to it.
    return null;
  }
}

function keepUnsaved(key: string, text: UnsavedText | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(text));
  } catch {
    // Storage is off or full. The server has the text a second later.
  }
}
