import { useRef, useState } from 'react';
import { type Channel, useAddChannel, useChangeChannel } from '../../../../api/queries/channels.ts';
import type { Fields } from '../../../../parts/schema-form/json-schema.ts';
import {
  type FoundServers,
  useCheckMailbox,
  useFindMailServers,
  type WantedMailbox,
} from './mailbox-requests.ts';
import type { MailboxChoice } from './provider-choice.tsx';

interface Mailbox {
  readonly workspace: string;
  readonly choice: MailboxChoice | null;
  readonly address: string;
  /** Called if the servers of “other” turn out to be those of a provider. */
  readonly onProvider: (provider: MailboxChoice) => void;
}

/** Looks for the servers of an address, and keeps what was found for it. A result for another address is dropped. */
export function useServers({ workspace, choice, address, onProvider }: Mailbox) {
  const find = useFindMailServers(workspace);
  const [found, setFound] = useState<{ readonly key: string; readonly servers: FoundServers }>();
  const key = keyOf(choice, address);
  const latest = useRef(key);
  latest.current = key;
  const look = (wanted: MailboxChoice, onFound?: (servers: FoundServers) => void) => {
    const asked = keyOf(wanted, address);
    if (found?.key === asked) {
      onFound?.(found.servers);
      return;
    }
    latest.current = asked;
    const body: WantedMailbox = { address, ...(wanted !== 'other' && { provider: wanted }) };
    find.mutate(body, {
      onSuccess: (servers) => {
        if (latest.current !== asked) return;
        setFound({ key: keyOf(servers.provider ?? wanted, address), servers });
        if (servers.provider !== null && servers.provider !== wanted) onProvider(servers.provider);
        onFound?.(servers);
      },
    });
  };
  return {
    look,
    servers: found?.key === key ? found.servers : null,
    isLooking: find.isPending,
    error: find.error,
  };
}

function keyOf(choice: MailboxChoice | null, address: string): string {
  return `${choice ?? ''} ${address}`;
}

interface Account {
  readonly credentials: Fields;
  readonly settings: Fields;
}

interface Target {
  readonly workspace: string;
  /** The kind of the channel. */
  readonly kind: string;
  /** The name of a new channel. */
  readonly name: string;
  /** The channel that is there already; null for a new one. */
  readonly id: string | null;
}

/** Tries the logins of a mailbox, and stores the channel once both succeeded. A new channel is off. */
export function useConnect({ workspace, kind, name, id }: Target) {
  const check = useCheckMailbox(workspace);
  const add = useAddChannel(workspace);
  const change = useChangeChannel({ workspace, channel: id ?? '' });
  const store = ({ credentials, settings }: Account, onStored: (channel: Channel) => void) => {
    const account = { credentials: { ...credentials }, settings: { ...settings } };
    const stored = { onSuccess: onStored };
    if (id === null) add.mutate({ channel: kind, name, ...account, enabled: false }, stored);
    else change.mutate(account, stored);
  };
  return {
    checks: check.data?.checks ?? null,
    isChecking: check.isPending,
    isBusy: check.isPending || add.isPending || change.isPending,
    error: check.error ?? add.error ?? change.error,
    /** Forgets what the servers said about other fields. */
    reset: () => {
      check.reset();
      add.reset();
      change.reset();
    },
    connect: (account: Account, onStored: (channel: Channel) => void) => {
      add.reset();
      change.reset();
      const body = { credentials: { ...account.credentials }, settings: { ...account.settings } };
      check.mutate(body, {
        onSuccess: ({ checks }) => {
          if (checks.every(({ problem }) => problem === null)) store(account, onStored);
        },
      });
    },
    connectAnyway: ({ credentials, settings }: Account, onStored: (channel: Channel) => void) =>
      store({ credentials, settings: { ...settings, verify: false } }, onStored),
  };
}
