import { UnstyledButton } from '@mantine/core';
import { useMemo } from 'react';
import { Clock, FileText, Image } from '../../../../icons.ts';
import { type KeyAction, useKeyActions } from '../../../../keys/registry.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { MarkdownText } from '../../../../parts/markdown/markdown-text.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { type Outgoing, sendNow, takeBack } from '../../composer/outbox.ts';
import { useDesk } from '../use-desk.ts';
import { useNow } from '../use-times.ts';

/** A reply in flight, which can be undone for some seconds. */
export function OutgoingMessage({ outgoing }: { readonly outgoing: Outgoing }) {
  const { texts } = useTexts();
  const words = texts.conversation.composer;
  const { me } = useDesk();
  return (
    <article className="p-message" data-role="agent" data-outgoing aria-label={me.name}>
      {outgoing.content !== '' && (
        <div className="p-bubble" dir="auto">
          <MarkdownText text={outgoing.content} spoken />
        </div>
      )}
      {outgoing.files.length > 0 && (
        <div className="p-files">
          {outgoing.files.map(({ id, name, content_type: type, byte_count }) => (
            <div key={id} className="p-file">
              <div className="p-file-row">
                <span className="p-file-name">
                  <Icon of={type.startsWith('image/') ? Image : FileText} />
                  <span>{name}</span>
                </span>
                <span className="p-file-size p-numbers">{texts.conversation.files.size(byte_count)}</span>
              </div>
            </div>
          ))}
        </div>
      )}
      <div className="p-message-meta">
        <span>{me.name}</span>
        {outgoing.state === 'waiting' ? (
          <Waiting outgoing={outgoing} />
        ) : (
          <span className="p-part-state" role="status">
            <Icon of={Clock} size={14} />
            {outgoing.state === 'retrying' ? words.retrying : words.sending}
          </span>
        )}
      </div>
    </article>
  );
}

function Waiting({ outgoing: { key, dueAt, content, resendOf, extra } }: { readonly outgoing: Outgoing }) {
  const { texts } = useTexts();
  const words = texts.conversation;
  const { composer } = useDesk();
  const now = useNow(250);
  const actions = useMemo<readonly KeyAction[]>(() => {
    const undo = () => {
      if (takeBack(key) !== null && resendOf === null) composer.current?.insert(content, extra);
    };
    return [{ id: 'undo-send', name: words.keys.undoSend, keys: 'z', scope: 'here', run: undo }];
  }, [composer, content, extra, key, resendOf, words]);
  useKeyActions(actions);
  return (
    <>
      <span className="p-part-state p-numbers">
        <Icon of={Clock} size={14} />
        {words.composer.sendsIn(Math.max(1, Math.ceil((dueAt - now) / 1_000)))}
      </span>
      <UnstyledButton className="p-message-why" onClick={() => actions[0]?.run()}>
        {words.composer.undo}
      </UnstyledButton>
      <UnstyledButton className="p-message-why" onClick={() => sendNow(key)}>
        {words.composer.sendNow}
      </UnstyledButton>
    </>
  );
}
