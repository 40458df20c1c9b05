import type { DraftKind } from '../../../api/queries/conversation.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { useDesk } from '../conversation/use-desk.ts';

interface ComposerTabsProps {
  readonly kind: DraftKind;
  readonly written: Readonly<Record<DraftKind, string>>;
  readonly onKind: (kind: DraftKind) => void;
  readonly isPreviewed: boolean;
  readonly onPreview: () => void;
}

/** Switches between the reply and the note, and to the preview of the reply. */
export function ComposerTabs({ kind, written, onKind, isPreviewed, onPreview }: ComposerTabsProps) {
  const { texts } = useTexts();
  const { composer: words, otherDevice } = texts.conversation;
  const { channelName } = useDesk();
  return (
    <div className="p-composer-head">
      <fieldset aria-label={words.label} className="p-composer-tabs">
        {(['reply', 'note'] as const).map((each) => (
          <button key={each} type="button" aria-pressed={kind === each} onClick={() => onKind(each)}>
            {words[each]}
            {each !== kind && written[each].trim() !== '' && (
              <span className="p-composer-dot" role="img" aria-label={otherDevice.written} />
            )}
          </button>
        ))}
      </fieldset>
      {kind === 'reply' && (
        <button type="button" className="p-composer-preview" aria-pressed={isPreviewed} onClick={onPreview}>
          {isPreviewed ? words.hidePreview : words.preview(channelName)}
        </button>
      )}
    </div>
  );
}
