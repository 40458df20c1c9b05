import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import {
  type DraftKind,
  type NewMessage,
  refreshLists,
  timelineQuery,
  useChangeConversation,
  writeNote,
} from '../../../api/queries/conversation.ts';
import { type KeyAction, useKeyActions } from '../../../keys/registry.ts';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { findOpenVariable } from '../conversation/snippet-variables.ts';
import { type ComposerHandle, useDesk } from '../conversation/use-desk.ts';
import { MovedOn, TakeOver } from './collision.tsx';
import { ComposerFoot } from './composer-foot.tsx';
import { ComposerTabs } from './composer-tabs.tsx';
import { OtherDevice } from './drafts/other-device.tsx';
import { useDraft } from './drafts/use-draft.ts';
import { AttachButton, type AttachHandle, FileTray, useDropped } from './file-tray.tsx';
import { mentionsIn } from './mentions.ts';
import {
  holdOpen,
  postReply,
  readUndoSeconds,
  resumeReplies,
  sendNow,
  takeBack,
  useOutgoing,
  type WithReply,
} from './outbox.ts';
import { Preview } from './preview.tsx';
import { SnippetExtras } from './snippet-extras.tsx';
import { SuggestionCard } from './suggestion-card.tsx';
import { TextBox, type TextBoxHandle } from './text-box.tsx';
import { type ComposerFiles, useFiles } from './use-files.ts';
import { useSuggestion } from './use-suggestion.ts';
import './composer.css';

/** Characters that a reply may have. */
const mostChars = { reply: 4_000, note: 10_000 };

/** Those of a note. */
const noFiles = { attached: [], ready: [], uploading: [] };

/** Writes replies and notes. The server keeps the draft until it is sent. */
export function Composer() {
  const { texts } = useTexts();
  const words = texts.conversation;
  const desk = useDesk();
  const { place, head, composer, channelName, tellWriting, me } = desk;
  const outgoing = useOutgoing(place.conversation);
  const leaving = useMemo(
    () => outgoing.filter(({ resendOf }) => resendOf === null).map(({ content }) => content),
    [outgoing],
  );
  const draft = useDraft({ place, person: me.id, stored: head.drafts, leaving });
  const { kind, texts: written, write, actions } = draft;
  const text = written[kind];
  const [isPreviewed, setPreviewed] = useState(false);
  const wasPreviewed = useRef(false);
  const box = useRef<TextBoxHandle>(null);
  useEffect(() => {
    // The field replaces the preview.
    if (wasPreviewed.current && !isPreviewed) box.current?.focus();
    wasPreviewed.current = isPreviewed;
  }, [isPreviewed]);
  const suggestion = useSuggestion();
  const files = useFiles(place);
  const attach = useRef<AttachHandle>(null);
  const dropped = useDropped(kind, files);
  const sending = useSending({ draft, files });
  const openFiles = useCallback(() => {
    draft.setKind('reply');
    // The focus moves after the button is drawn, which notes do not have.
    requestAnimationFrame(() => attach.current?.open());
  }, [draft.setKind]);

  const focus = useCallback(
    (wanted: DraftKind) => {
      draft.setKind(wanted);
      setPreviewed(false);
      box.current?.focus();
    },
    [draft.setKind],
  );
  const insert = useCallback(
    (added: string, withIt: WithReply = {}) => {
      const before = written.reply.trimEnd();
      draft.setKind('reply');
      setPreviewed(false);
      const content = before === '' ? added : `${before}\n\n${added}`;
      if (added !== '')
        write('reply', { content, ...(Object.keys(withIt).length > 0 && { actions: withIt }) });
      box.current?.focus();
    },
    [draft.setKind, write, written.reply],
  );
  useImperativeHandle(composer, (): ComposerHandle => ({ focus, insert }), [focus, insert]);
  const askOrTake = () => {
    if (draft.other === null) suggestion.ask();
    else draft.keeper.takeOther();
  };
  useComposerKeys({ focus, send: sending.send, ask: askOrTake, attach: openFiles });

  const useSuggested = suggestion.text === null ? null : () => insert(suggestion.take() ?? '');
  const over = text.length - mostChars[kind];
  const { ready, uploading } = kind === 'reply' ? files : noFiles;
  const isReady = (text.trim() !== '' || ready.length + uploading.length > 0) && over <= 0;
  return (
    <div className="p-composer-place">
      <MovedOn messages={sending.newer} onSend={() => sending.send(false)} onDismiss={sending.calm} />
      {sending.asksFor !== null && (
        <TakeOver
          name={sending.asksFor}
          onTake={() => sending.send(false)}
          onLeave={sending.sendAndLeave}
          onDismiss={sending.calm}
        />
      )}
      {kind === 'reply' && draft.other === null && (
        <SuggestionCard suggestion={suggestion} onUse={useSuggested} />
      )}
      <OtherDevice draft={draft} onTaken={() => box.current?.focus()} />
      <div className="p-composer" data-kind={kind} {...dropped}>
        <ComposerTabs
          kind={kind}
          written={written}
          onKind={focus}
          isPreviewed={isPreviewed}
          onPreview={() => setPreviewed(!isPreviewed)}
        />
        {isPreviewed && kind === 'reply' ? (
          <Preview content={text} files={files.ready} />
        ) : (
          <TextBox
            ref={box}
            kind={kind}
            value={text}
            placeholder={kind === 'note' ? words.composer.noteHint : words.composer.replyOn(channelName)}
            onChange={(next) => {
              tellWriting();
              write(kind, { content: next });
            }}
            onSnippet={(snippet) => write(kind, { actions: merge(actions, snippet) })}
            onSend={sending.send}
            onTab={useSuggested}
          />
        )}
        <FileTray files={kind === 'reply' ? files : { ...files, ...noFiles }} />
        <SnippetExtras extra={actions} onChange={(next) => write(kind, { actions: next })} />
        {over > 0 && (
          <div className="p-composer-fault">
            <FaultLine>{words.composer.tooLong(over)}</FaultLine>
          </div>
        )}
        {sending.fault !== null && (
          <div className="p-composer-fault">
            <FaultLine>{sending.fault}</FaultLine>
          </div>
        )}
        <ComposerFoot
          kind={kind}
          saved={draft.state}
          isReady={isReady}
          isBusy={sending.isBusy}
          onSend={sending.send}
          onSnippets={() => box.current?.openSnippets()}
          attach={kind === 'reply' && <AttachButton ref={attach} onFiles={files.add} />}
        />
      </div>
    </div>
  );
}

function merge(before: WithReply, { tags = [], ...more }: WithReply): WithReply {
  const all = [...new Set([...(before.tags ?? []), ...tags])];
  return { ...before, ...more, ...(all.length > 0 && { tags: all }) };
}

interface ComposerKeys {
  readonly focus: (kind: DraftKind) => void;
  readonly send: (resolves: boolean) => void;
  readonly ask: () => void;
  readonly attach: () => void;
}

function useComposerKeys({ focus, send, ask, attach }: ComposerKeys): void {
  const { texts } = useTexts();
  const words = texts.conversation.keys;
  const latest = useRef({ focus, send, ask, attach });
  latest.current = { focus, send, ask, attach };
  const actions = useMemo<readonly KeyAction[]>(() => {
    const here = { scope: 'here' } as const;
    return [
      {
        id: 'composer-reply',
        name: words.reply,
        keys: 'r',
        ...here,
        run: () => latest.current.focus('reply'),
      },
      { id: 'composer-note', name: words.note, keys: 'n', ...here, run: () => latest.current.focus('note') },
      {
        id: 'composer-send',
        name: words.send,
        keys: 'mod+Enter',
        ...here,
        run: () => latest.current.send(false),
      },
      { id: 'composer-file', name: words.file, keys: 'f', ...here, run: () => latest.current.attach() },
      { id: 'composer-draft', name: words.draft, keys: 'mod+j', ...here, run: () => latest.current.ask() },
    ];
  }, [words]);
  useKeyActions(actions);
}

interface SendingOptions {
  readonly draft: ReturnType<typeof useDraft>;
  readonly files: ComposerFiles;
}

/** Sends the text: a note at once, a reply after its time for undoing. */
function useSending({ draft, files }: SendingOptions) {
  const { texts } = useTexts();
  const words = texts.conversation.composer;
  const { place, head, name, me, agents } = useDesk();
  const client = useQueryClient();
  const changing = useChangeConversation(place);
  const outgoing = useOutgoing(place.conversation);
  const [newer, setNewer] = useState<readonly NewMessage[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
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
        write('reply', { content, actions: merge(each.extra, kind === 'reply' ? extra : {}) });
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

  const sendAs = (resolves: boolean, takesOver: string | null) => {
    const content = written.reply.trim();
    const { status, ...rest } = extra;
    const settled = take('reply');
    postReply({
      ...{
        place,
        content,
        files: files.ready,
        resendOf: null,
        takesOver,
        settled,
        after: lastKnown(),
      },
      resolves: resolves || status === 'resolved',
      extra: {
        ...rest,
        ...(rest.tags && { tags: [...new Set([...head.tags, ...rest.tags])] }),
        ...(status !== undefined && status !== 'resolved' && { status }),
      },
      undoMs: newer.length > 0 ? 0 : readUndoSeconds() * 1_000,
      sender,
    });
    setNewer([]);
    setFault(null);
    setAsked('before');
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
  const leave = (resolves: boolean) => {
    if (kind === 'note') void addNote();
    else if (holder !== null && asked === 'not yet') setAsked('now');
    else sendAs(resolves, holder !== null && asked === 'now' ? me.id : null);
  };
  const send = (resolves: boolean) => {
    const { length } = written[kind].trim();
    const open = kind === 'reply' ? findOpenVariable(written.reply) : null;
    if (open !== null) return setFault(words.fillIn(open));
    if (isBusy || length > mostChars[kind] || afterUpload.isHeld(resolves)) return;
    if (length > 0 || ready.length > 0) leave(resolves);
    // The field is empty, so the waiting reply leaves at once.
    else for (const { key } of outgoing) sendNow(key);
  };
  afterUpload.onUploaded.current = send;

  return {
    newer,
    fault,
    isBusy: isBusy || afterUpload.isWaiting,
    send,
    asksFor: asked === 'now' && holder !== null ? holder.name : null,
    sendAndLeave: () => sendAs(false, null),
    calm: () => {
      setNewer([]);
      setAsked((before) => (before === 'now' ? 'not yet' : before));
    },
  };
}

/** Keeps a reply whose files are still uploading, and sends it after them. */
function useAfterUpload(isUploading: boolean, faults: readonly string[]) {
  const [held, setHeld] = useState<{
    readonly resolves: boolean;
    readonly faults: readonly string[];
  } | null>(null);
  const onUploaded = useRef<(resolves: boolean) => void>(() => {});
  useEffect(() => {
    if (held === null || isUploading) return;
    setHeld(null);
    // If a file was refused, the person decides whether the reply goes without it.
    if (faults.every((fault) => held.faults.includes(fault))) onUploaded.current(held.resolves);
  }, [held, isUploading, faults]);
  return {
    isWaiting: held !== null,
    onUploaded,
    isHeld: (resolves: boolean) => {
      if (isUploading) setHeld({ resolves, faults });
      return isUploading;
    },
  };
}

function toChange({ tags, priority, status }: WithReply, before: readonly string[]) {
  return {
    ...(tags !== undefined && { tags: [...new Set([...before, ...tags])] }),
    ...(priority !== undefined && { priority }),
    ...(status !== undefined && { status }),
  };
}
