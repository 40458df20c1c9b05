import type { ReactNode } from 'react';
import { Check, Mail } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { useMailboxWords } from './mailbox-words.ts';

const mailboxChoices = ['google', 'microsoft', 'other'] as const;
export type MailboxChoice = (typeof mailboxChoices)[number];

interface ProviderChoiceProps {
  readonly value: MailboxChoice | null;
  readonly onChoose: (choice: MailboxChoice) => void;
}

/** The providers as cards, of which one is chosen as with radio buttons. */
export function ProviderChoice({ value, onChoose }: ProviderChoiceProps) {
  const words = useMailboxWords();
  return (
    <fieldset className="p-providers">
      <legend>{words.choice}</legend>
      {mailboxChoices.map((choice) => (
        <label key={choice} className="p-provider" data-chosen={choice === value}>
          <input
            type="radio"
            name="provider"
            value={choice}
            checked={choice === value}
            onChange={() => onChoose(choice)}
          />
          <span className="p-provider-mark">{marks[choice]}</span>
          <span className="p-provider-words">
            <span className="p-provider-name">{words.providers[choice].name}</span>
            <span className="p-provider-hint">{words.providers[choice].hint}</span>
          </span>
          {choice === value && <Icon of={Check} color="var(--p-accent)" />}
        </label>
      ))}
    </fieldset>
  );
}

/** The marks of the providers in their colours, which stay in the dark. */
const marks: Readonly<Record<MailboxChoice, ReactNode>> = {
  google: (
    <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      <path
        fill="#4285F4"
        d="M22.56 12.25c0-.78-.07-1.53-.2-2.25H12v4.26h5.92c-.26 1.37-1.04 2.53-2.21 3.31v2.77h3.57c2.08-1.92 3.28-4.74 3.28-8.09z"
      />
      <path
        fill="#34A853"
        d="M12 23c2.97 0 5.46-.98 7.28-2.66l-3.57-2.77c-.98.66-2.23 1.06-3.71 1.06-2.86 0-5.29-1.93-6.16-4.53H2.18v2.84C3.99 20.53 7.7 23 12 23z"
      />
      <path
        fill="#FBBC05"
        d="M5.84 14.1c-.22-.66-.35-1.36-.35-2.1s.13-1.44.35-2.1V7.06H2.18C1.43 8.55 1 10.22 1 12s.43 3.45 1.18 4.94z"
      />
      <path
        fill="#EA4335"
        d="M12 5.38c1.62 0 3.06.56 4.21 1.64l3.15-3.15C17.45 2.09 14.97 1 12 1 7.7 1 3.99 3.47 2.18 7.06L5.84 9.9c.87-2.6 3.3-4.53 6.16-4.53z"
      />
    </svg>
  ),
  microsoft: (
    <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      <path fill="#F25022" d="M2 2h9.5v9.5H2z" />
      <path fill="#7FBA00" d="M12.5 2H22v9.5h-9.5z" />
      <path fill="#00A4EF" d="M2 12.5h9.5V22H2z" />
      <path fill="#FFB900" d="M12.5 12.5H22V22h-9.5z" />
    </svg>
  ),
  other: <Icon of={Mail} size={18} />,
};
