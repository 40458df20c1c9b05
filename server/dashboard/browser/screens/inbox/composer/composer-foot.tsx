import { Button, Kbd } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DraftKind } from '../../../api/queries/conversation.ts';
import { ListTree, TriangleAlert } from '../../../icons.ts';
import { keySigns } from '../../../keys/registry.ts';
import { Icon } from '../../../parts/icon.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useDesk } from '../conversation/use-desk.ts';
import { useNow } from '../conversation/use-times.ts';
import type { SaveState } from './drafts/draft-keeper.ts';
import type { Ending } from './sending/endings.ts';
import { SendNext } from './sending/send-next.tsx';

interface ComposerFootProps {
  readonly kind: DraftKind;
  readonly saved: SaveState;
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly onSend: (ending: Ending) => void;
  readonly onSnippets: () => void;
  /** The button that attaches files; null for notes. */
  readonly attach: ReactNode;
}

/** Snippets, the saved state, the platform's reply window, and Send. */
export function ComposerFoot({
  kind,
  saved,
  isReady,
  isBusy,
  onSend,
  onSnippets,
  attach,
}: ComposerFootProps) {
  const { texts } = useTexts();
  const words = texts.conversation.composer;
  const signs = keySigns('mod+Enter').join(' ');
  const states: Readonly<Record<SaveState, string>> = {
    idle: '',
    changed: '',
    saving: words.saving,
    saved: words.saved,
    failed: words.notSaved,
  };
  return (
    <div className="p-composer-foot">
      {attach}
      <Button
        variant="subtle"
        size="xs"
        className="p-composer-snippet"
        leftSection={<Icon of={ListTree} />}
        rightSection={<Kbd aria-hidden="true">;</Kbd>}
        onClick={onSnippets}
      >
        {words.snippet}
      </Button>
      <span className="p-composer-state">
        <span role="status">{states[saved]}</span>
        {kind === 'reply' && <ReplyWindow />}
      </span>
      <div className="p-composer-send">
        <Button
          rightSection={<Kbd aria-hidden="true">{signs}</Kbd>}
          disabled={!isReady}
          loading={isBusy}
          onClick={() => onSend('stay')}
        >
          {kind === 'note' ? words.addNote : words.send}
        </Button>
      </div>
      {kind === 'reply' && <SendNext isReady={isReady} isBusy={isBusy} onSend={onSend} />}
    </div>
  );
}

const soonMs = 2 * 3_600_000;

/** The time until the platform's reply window closes. After that it says what to do. */
function ReplyWindow() {
  const { texts } = useTexts();
  const words = texts.conversation.composer;
  const { head, channelName } = useDesk();
  const now = useNow(30_000);
  const window = head.reply_window;
  if (window === null) return null;
  const left = window.closes_at === null ? 0 : Date.parse(window.closes_at) - now;
  if (!window.open || left <= 0) {
    return (
      <span className="p-window" data-state="closed" title={words.windowHelp(channelName)}>
        <Icon of={TriangleAlert} size={14} />
        {words.windowClosed}
      </span>
    );
  }
  return (
    <span className="p-window p-numbers" data-state={left < soonMs ? 'soon' : 'open'}>
      {words.window(left)}
    </span>
  );
}
