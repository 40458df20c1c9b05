import { UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { Check, Copy } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface Sample {
  /** The language, as people call it. */
  readonly name: string;
  readonly code: string;
}

interface CodeCardProps {
  readonly label: string;
  readonly samples: readonly Sample[];
  /** Content beside “Copy”, such as a button that runs the sample. */
  readonly action?: ReactNode;
  /** Content below the code, such as the response. */
  readonly result?: ReactNode;
  /** True if it stands alone, with corners of its own. */
  readonly framed?: boolean;
}

/** The same sample in several languages, to copy. */
export function CodeCard({ label, samples, action, result, framed = false }: CodeCardProps) {
  const { texts } = useTexts();
  const [chosen, setChosen] = useState(0);
  const clipboard = useClipboard({ timeout: 2_000 });
  const panel = useId();
  const code = samples[chosen]?.code ?? '';
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = (chosen + step + samples.length) % samples.length;
    setChosen(next);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <div className="p-code" {...(framed && { style: { borderRadius: 8 } })}>
      <div className="p-code-bar">
        <div role="tablist" aria-label={label} onKeyDown={move} style={{ display: 'flex', gap: 16, flex: 1 }}>
          {samples.map(({ name }, position) => (
            <UnstyledButton
              key={name}
              role="tab"
              className="p-code-tab"
              aria-selected={position === chosen}
              aria-controls={panel}
              tabIndex={position === chosen ? 0 : -1}
              onClick={() => setChosen(position)}
            >
              {name}
            </UnstyledButton>
          ))}
        </div>
        {action}
        <UnstyledButton className="p-code-action" onClick={() => clipboard.copy(code)}>
          <Icon of={clipboard.copied ? Check : Copy} size={14} />
          {clipboard.copied ? texts.parts.copied : texts.parts.copy}
        </UnstyledButton>
      </div>
      <div role="tabpanel" id={panel} aria-label={samples[chosen]?.name}>
        <pre dir="ltr">
          <code>{code}</code>
        </pre>
        {result}
      </div>
    </div>
  );
}
