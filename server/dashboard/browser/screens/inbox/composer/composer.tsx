import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import type { DraftKind } from '../../../api/queries/conversation.ts';
import { type KeyAction, useKeyActions } from '../../../keys/registry.ts';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { type ComposerHandle, useDesk } from '../conversation/use-desk.ts';
import { MovedOn, TakeOver } from './collision.tsx';
import { ComposerFoot } from './composer-foot.tsx';
import { ComposerTabs } from './composer-tabs.tsx';
import { OtherDevice } from './drafts/other-device.tsx';
import { useDraft } from './drafts/use-draft.ts';
import { AttachButton, type AttachHandle, FileTray, useDropped } from './file-tray.tsx';
import { useOutgoing, type WithReply } from './outbox.ts';
import { Preview } from './preview.tsx';
import { type Ending, nextEnding } from './sending/endings.ts';
import { mergeChanges, mostChars, useSending } from './sending/use-sending.ts';
import { SnippetExtras } from './snippet-extras.tsx';
import { SuggestionCard } from './suggestion-card.tsx';
import { TextBox, type TextBoxHandle } from './text-box.tsx';
import { useFiles } from './use-files.ts';
import { useSuggestion } from './use-suggestion.ts';
import './composer.css';

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
      <MovedOn messages={sending.newer} onSend={sending.sendAgain} onDismiss={sending.calm} />
      {sending.asksFor !== null && (
        <TakeOver
          name={sending.asksFor}
          onTake={sending.sendAgain}
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
            onSnippet={(snippet) => write(kind, { actions: mergeChanges(actions, snippet) })}
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

interface ComposerKeys {
  readonly focus: (kind: DraftKind) => void;
  readonly send: (ending: Ending) => void;
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
        run: () => latest.current.send('stay'),
      },
      {
        id: 'composer-send-next',
        name: words.sendNext,
        keys: 'mod+Shift+Enter',
        ...here,
        run: () => latest.current.send(nextEnding.read()),
      },
      { id: 'composer-file', name: words.file, keys: 'f', ...here, run: () => latest.current.attach() },
      { id: 'composer-draft', name: words.draft, keys: 'mod+j', ...here, run: () => latest.current.ask() },
    ];
  }, [words]);
  useKeyActions(actions);
}
