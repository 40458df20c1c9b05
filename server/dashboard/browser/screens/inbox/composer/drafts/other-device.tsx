import { ActionIcon, Button, Kbd, Tooltip } from '@mantine/core';
import { Smartphone, X } from '../../../../icons.ts';
import { keySigns, useKeysOf } from '../../../../keys/registry.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { useTimes } from '../../conversation/use-times.ts';
import type { useDraft } from './use-draft.ts';

interface OtherDeviceProps {
  readonly draft: ReturnType<typeof useDraft>;
  /** Runs once the field has the text. */
  readonly onTaken: () => void;
}

/** The text that the person wrote on another device, above the one of this device. */
export function OtherDevice({ draft: { other, keeper }, onTaken }: OtherDeviceProps) {
  const { texts } = useTexts();
  const words = texts.conversation.otherDevice;
  const times = useTimes();
  const keys = useKeysOf('composer-draft');
  if (other === null) return null;
  return (
    <section className="p-suggestion" aria-label={words.title}>
      <div className="p-suggestion-head">
        <Icon of={Smartphone} />
        <strong role="status">{words.title}</strong>
        {other.at !== null && <span className="p-suggestion-how">{times.clock(other.at)}</span>}
        <span className="p-suggestion-buttons">
          <Tooltip label={words.hide}>
            <ActionIcon size="xs" aria-label={words.hide} onClick={() => keeper.dismissOther()}>
              <Icon of={X} size={14} />
            </ActionIcon>
          </Tooltip>
        </span>
      </div>
      <div className="p-suggestion-text" data-raw dir="auto">
        {other.content}
      </div>
      <div className="p-suggestion-foot">
        <span className="p-suggestion-how">{words.both}</span>
        <Button
          variant="subtle"
          onClick={() => {
            keeper.putBelow();
            onTaken();
          }}
        >
          {words.below}
        </Button>
        <Button
          variant="default"
          {...(keys !== undefined && {
            rightSection: <Kbd aria-hidden="true">{keySigns(keys).join(' ')}</Kbd>,
          })}
          onClick={() => {
            keeper.takeOther();
            onTaken();
          }}
        >
          {words.take}
        </Button>
      </div>
    </section>
  );
}
