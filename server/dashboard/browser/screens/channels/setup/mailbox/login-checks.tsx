import { Button, Loader, Text } from '@mantine/core';
import { Check, CircleAlert, ExternalLink } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { helpPages } from './help-pages.ts';
import type { MailProblem, MailServerCheck } from './mailbox-requests.ts';
import { useMailboxWords } from './mailbox-words.ts';
import type { MailboxChoice } from './provider-choice.tsx';

interface LoginChecksProps {
  readonly choice: MailboxChoice;
  /** Null: the servers are being asked. */
  readonly checks: readonly MailServerCheck[] | null;
}

const both = ['incoming', 'outgoing'] as const;

/** The result of each login, with the remedy below the check that needs it. */
export function LoginChecks({ choice, checks }: LoginChecksProps) {
  const words = useMailboxWords().checks;
  return (
    <ul className="p-card p-checks" aria-label={words.label} aria-live="polite">
      {both.map((server) => (
        <LoginLine
          key={server}
          server={server}
          choice={choice}
          check={checks?.find((each) => each.server === server) ?? null}
        />
      ))}
    </ul>
  );
}

interface LoginLineProps {
  readonly server: MailServerCheck['server'];
  readonly choice: MailboxChoice;
  readonly check: MailServerCheck | null;
}

function LoginLine({ server, choice, check }: LoginLineProps) {
  const words = useMailboxWords();
  const { state } = useTexts().texts.channels.checks;
  const problem = check?.problem ?? null;
  const reached = check === null ? 'waiting' : problem === null ? 'done' : 'failed';
  return (
    <li className="p-check" data-state={reached} data-login={server}>
      <span className="p-check-sign">
        {reached === 'waiting' ? (
          <Loader size={12} role="img" aria-label={state.waiting} />
        ) : (
          <Icon of={reached === 'done' ? Check : CircleAlert} size={14} label={state[reached]} />
        )}
      </span>
      <div className="p-check-text">
        <Text fw={500}>{words.checks.names[server]}</Text>
        <Text size="sm" c={problem === null ? 'var(--p-text-2)' : 'var(--p-red)'} className="p-break">
          {check === null
            ? words.checks.asking
            : problem !== null
              ? words.faults[problem]
              : check.mails === null
                ? words.checks.accepted
                : words.checks.opened(check.mails, check.unread ?? 0)}
        </Text>
        {problem !== null && (
          <>
            <Text size="xs" c="var(--p-text-2)" className="p-break">
              {check?.detail != null && words.checks.says(check.detail)}
            </Text>
            <Remedy choice={choice} problem={problem} />
          </>
        )}
      </div>
    </li>
  );
}

/** The way out, in the words of the provider. */
function Remedy({ choice, problem }: { readonly choice: MailboxChoice; readonly problem: MailProblem }) {
  const words = useMailboxWords();
  const own: Partial<Record<MailProblem, string>> = choice === 'other' ? {} : words.providerRemedies[choice];
  const page = helpPages[choice][problem];
  return (
    <div className="p-help">
      <Text fw={600} size="sm">
        {words.checks.whatToDo}
      </Text>
      <Text size="sm">{own[problem] ?? words.remedies[problem]}</Text>
      {page !== undefined && (
        <Button
          component="a"
          href={page}
          target="_blank"
          rel="noreferrer"
          variant="default"
          size="xs"
          mt="sm"
          leftSection={<Icon of={ExternalLink} size={14} />}
        >
          {words.checks.openHelp}
        </Button>
      )}
    </div>
  );
}
