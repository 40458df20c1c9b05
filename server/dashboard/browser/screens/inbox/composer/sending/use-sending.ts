import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { toProblem } from '../../../../api/problem.ts';
import {
  type NewMessage,
  refreshLists,
  timelineQuery,
  useChangeConversation,
  writeNote,
} from '../../../../api/queries/conversation.ts';
import { useTexts } from '../../../../texts/texts.tsx';
import { findOpenVariable } from '../../conversation/snippet-variables.ts';
import { useDesk } from '../../conversation/use-desk.ts';
import type { useDraft } from '../drafts/use-draft.ts';
import { mentionsIn } from '../mentions.ts';
import {
  holdOpen,
  postReply,
  resumeReplies,
  sendNow,
  takeBack,
  undoSeconds,
  useOutgoing,
  type WithReply,
} from '../outbox.ts';
import type { ComposerFiles } from '../use-files.ts';
import { type Ending, endings } from './endings.ts';
import { useOfferReturn } from './offer-return.ts';

/** Characters that a reply and a note may have. */
export const mostChars = { reply: 4_000, note: 10_000 };

/** Files of a note. */
const noFiles = { ready: [], uploading: [] };

interface SendingOptions {
  readonly draft: ReturnType<typeof useDraft>;
  readonly files: ComposerFiles;
}

/** Sends the text: a note at once, a reply after its time for undoing. */
export function useSending({ draft, files }: SendingOptions) {
  const { texts } = useTexts();
  const words = texts.conversation.composer;
  const { place, head, name, me, agents, openNext } = useDesk();
  const client = useQueryClient();
  const changing = useChangeConversation(place);
  const outgoing = useOutgoing(place.conversation);
  const [newer, setNewer] = useState<readonly NewMessage[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** The step after the reply that a question or a newer message held up. */
  const [ending, setEnding] = useState<Ending>('stay');
  /** Whether the person was asked to take the conversation over, and when. */
  const [asked, setAsked] = useState<'not yet' | 'now' | 'before'>('not yet');
  const { kind, texts: written, write, take, actions: extra } = draft;
  const holder = head.assignee !== null && head.assignee.id !== me.id ? head.assignee : null;

  const returned = words.returned(name);
  const sender = useMemo(() => ({ client, person: me.id, returned }), [client, me.id, returned]);
  useEffect(() => holdOpen(place.conversation), [place.conversation]);
  useEffect(() => resumeReplies(place.conversation, sender), [place.conversation, sender]);
  useEffect(() => {
    for (const each of outgoing) {
      if (each.state !== 'returned' || takeBack(each.key) === null) continue;
      // A message that was sent again keeps its place.
      if (each.resendOf === null) {
        const later = written.reply.trim();
        const content = [each.content, later].filter((part) => part !== '').join('\n\n');
        write('reply', { content, actions: mergeChanges(each.extra, kind === 'reply' ? extra : {}) });
      }
      // The takeover of the conversation failed too.
      if (each.takesOver !== null) setAsked('not yet');
      setNewer(each.newMessages);
      setFault(each.problem === null ? null : words.refused(each.problem.message));
    }
  }, [outgoing, write, written.reply, words, kind, extra]);

  const lastKnown = () => {
    if (newer.length > 0) return newer.at(-1)?.id ?? null;
    const entries = client.getQueryData(timelineQuery(place).queryKey)?.pages.flatMap((page) => page.entries);
    const last = entries?.find((entry) => entry.kind === 'message');
    return last?.kind === 'message' ? last.message.id : null;
  };

  const offerReturn = useOfferReturn();
  const sendAs = (ending: Ending, takesOver: string | null) => {
    const content = written.reply.trim();
    const { status, ...rest } = extra;
    const settled = take('reply');
    const resolves = endings[ending].resolves || status === 'resolved';
    const key = postReply({
      ...{
        place,
        content,
        files: files.ready,
        resendOf: null,
        takesOver,
        settled,
        after: lastKnown(),
      },
      resolves,
      extra: {
        ...rest,
        ...(rest.tags && { tags: [...new Set([...head.tags, ...rest.tags])] }),
        ...(status !== undefined && status !== 'resolved' && { status }),
      },
      undoMs: newer.length > 0 ? 0 : undoSeconds.read() * 1_000,
      sender,
    });
    setNewer([]);
    setFault(null);
    setAsked('before');
    if (!endings[ending].opensNext) return;
    offerReturn({ key, resolves });
    openNext();
  };

  const addNote = async () => {
    const content = written.note.trim();
    setBusy(true);
    try {
      // Sending the note deletes its draft, which must not be saved after it.
      await draft.keeper.flush();
      await writeNote(place, { content, mentions: mentionsIn(content, agents) });
      if (draft.keeper.view().content.trim() === content) await take('note');
      await client.invalidateQueries({ queryKey: ['conversation', place.workspace, place.conversation] });
      void refreshLists(client, place.workspace);
      if (Object.keys(extra).length > 0) changing.mutate(toChange(extra, head.tags));
      setFault(null);
    } catch (error) {
      setFault(words.noteRefused(toProblem(error).message));
    } finally {
      setBusy(false);
    }
  };

  const { ready, uploading } = kind === 'reply' ? files : noFiles;
  const afterUpload = useAfterUpload(uploading.length > 0, files.faults);
  const leave = (wanted: Ending) => {
    setEnding(wanted);
    if (kind === 'note') void addNote();
    else if (holder !== null && asked === 'not yet') setAsked('now');
    else sendAs(wanted, holder !== null && asked === 'now' ? me.id : null);
  };
  const send = (wanted: Ending) => {
    const { length } = written[kind].trim();
    const open = kind === 'reply' ? findOpenVariable(written.reply) : null;
    if (open !== null) return setFault(words.fillIn(open));
    if (isBusy || length > mostChars[kind] || afterUpload.isHeld(wanted)) return;
    if (length > 0 || ready.length > 0) leave(wanted);
    // The field is empty, so the waiting reply leaves at once.
    else for (const { key } of outgoing) sendNow(key);
  };
  afterUpload.onUploaded.current = send;

  return {
    newer,
    fault,
    isBusy: isBusy || afterUpload.isWaiting,
    send,
    /** Sends what a question or a newer message held up. */
    sendAgain: () => send(ending),
    asksFor: asked === 'now' && holder !== null ? holder.name : null,
    sendAndLeave: () => sendAs(ending, null),
    calm: () => {
      setNewer([]);
      setAsked((before) => (before === 'now' ? 'not yet' : before));
    },
  };
}

/** Keeps a reply whose files are still uploading, and sends it after them. */
function useAfterUpload(isUploading: boolean, faults: readonly string[]) {
  const [held, setHeld] = useState<{
    readonly ending: Ending;
    readonly faults: readonly string[];
  } | null>(null);
  const onUploaded = useRef<(ending: Ending) => void>(() => {});
  useEffect(() => {
    if (held === null || isUploading) return;
    setHeld(null);
    // If a file was refused, the person decides whether the reply goes without it.
    if (faults.every((fault) => held.faults.includes(fault))) onUploaded.current(held.ending);
  }, [held, isUploading, faults]);
  return {
    isWaiting: held !== null,
    onUploaded,
    isHeld: (ending: Ending) => {
      if (isUploading) setHeld({ ending, faults });
      return isUploading;
    },
  };
}

/** Joins the changes of two snippets. */
export function mergeChanges(before: WithReply, { tags = [], ...more }: WithReply): WithReply {
  const all = [...new Set([...(before.tags ?? []), ...tags])];
  return { ...before, ...more, ...(all.length > 0 && { tags: all }) };
}

function toChange({ tags, priority, status }: WithReply, before: readonly string[]) {
  return {
    ...(tags !== undefined && { tags: [...new Set([...before, ...tags])] }),
    ...(priority !== undefined && { priority }),
    ...(status !== undefined && { status }),
  };
}
