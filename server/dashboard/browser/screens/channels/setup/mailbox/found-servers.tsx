import { Button, Loader } from '@mantine/core';
import { Check, ChevronDown, ChevronUp, CircleAlert, CircleDashed } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { type Fields, isFields } from '../../../../parts/schema-form/json-schema.ts';
import type { FoundServers, MailServer } from './mailbox-requests.ts';
import { useMailboxWords } from './mailbox-words.ts';

interface FoundServersPanelProps {
  readonly domain: string;
  /** Null: not looked for yet. */
  readonly found: FoundServers | null;
  readonly isLooking: boolean;
  /** The servers that were entered by hand, by the names of their fields. */
  readonly byHand: Fields;
  readonly isWhole: boolean;
  readonly more: number;
  readonly onWhole: () => void;
}

/** The servers as they were found, folded: one line each, and the way to every field. */
export function FoundServersPanel({
  domain,
  found,
  isLooking,
  byHand,
  isWhole,
  more,
  onWhole,
}: FoundServersPanelProps) {
  const words = useMailboxWords().servers;
  const lines = [
    { name: words.incoming, server: found?.incoming, hand: byHand.imap },
    { name: words.outgoing, server: found?.outgoing, hand: byHand.smtp },
  ];
  const isMissing = found !== null && lines.some(({ server, hand }) => server === null && hand === undefined);
  const isByHand = lines.every(({ hand }) => hand !== undefined);
  const foreign = [found?.incoming, found?.outgoing].find(
    (server) => !isByHand && server?.found_by === 'srv' && !`.${server.host}`.endsWith(`.${domain}`),
  );
  return (
    <section className="p-servers" aria-label={words.label} aria-live="polite">
      {isLooking ? (
        <p className="p-servers-line">
          <Loader size={14} /> {words.looking}
        </p>
      ) : (
        found !== null && (
          <dl className="p-servers-list" data-missing={isMissing}>
            {lines.map(({ name, server, hand }) => (
              <div key={name}>
                <dt>
                  <Icon {...signOf(server ?? null, hand)} size={14} />
                  {name}
                </dt>
                <dd>
                  {hand !== undefined ? (
                    <>
                      <span className="p-mono">{placeOf(hand)}</span>
                      <span className="p-servers-source">{words.byHand}</span>
                    </>
                  ) : server == null ? (
                    words.none
                  ) : (
                    <>
                      <span className="p-mono">
                        {words.place(server.host, server.port, words.encryption[server.encryption])}
                      </span>
                      <span className="p-servers-source">{words.foundBy[server.found_by]}</span>
                    </>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )
      )}
      {foreign != null && <p className="p-servers-warning">{words.elsewhere(foreign.host)}</p>}
      <Button
        variant="transparent"
        size="compact-xs"
        px={0}
        leftSection={<Icon of={isWhole ? ChevronUp : ChevronDown} size={14} />}
        aria-expanded={isWhole}
        onClick={onWhole}
      >
        {isWhole ? words.less : words.all(more)}
      </Button>
    </section>
  );
}

/** A tick stands for a server that was found. One by hand is not seen until the check. */
function signOf(server: MailServer | null, hand: unknown) {
  if (hand !== undefined) return { of: CircleDashed, color: 'var(--p-dim)' };
  return server === null
    ? { of: CircleAlert, color: 'var(--p-amber)' }
    : { of: Check, color: 'var(--p-green)' };
}

function placeOf(hand: unknown): string {
  if (!isFields(hand)) return '';
  return [hand.host, hand.port].filter((part) => part !== undefined).join(', ');
}
