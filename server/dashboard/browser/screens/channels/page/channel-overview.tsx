import { Button, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ChannelKind } from '../../../api/kinds.ts';
import { type ChannelChecks, useCheckChannel } from '../../../api/queries/channels.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { RefreshCw } from '../../../icons.ts';
import { CopyField } from '../../../parts/copy-field.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { CheckList } from '../setup/check-list.tsx';
import { PublicUrlNote } from '../setup/public-url-note.tsx';
import { Deliveries } from './deliveries.tsx';
import { Failures } from './failures.tsx';

interface ChannelOverviewProps {
  readonly checks: ChannelChecks;
  readonly kind: ChannelKind;
}

/** The checks of the channel, its failures and its last deliveries. */
export function ChannelOverview({
  checks: { channel, checks, notes, ...backlog },
  kind,
}: ChannelOverviewProps) {
  const { texts, language } = useTexts();
  const words = texts.channels;
  const workspace = useWorkspace()?.id ?? '';
  const mayChange = useMay('channels:write');
  const place = { workspace, channel: channel.id };
  const again = useCheckChannel(place);
  const count = (value: number) => new Intl.NumberFormat(language).format(value);
  return (
    <div className="p-blocks">
      <dl className="p-facts p-card">
        <Fact label={words.page.heard}>
          <TimeAgo at={channel.heard_at} />
        </Fact>
        <Fact label={words.page.backlog}>{count(backlog.waiting_parts)}</Fact>
        <Fact label={words.page.failed}>{count(backlog.failures)}</Fact>
      </dl>
      <section aria-labelledby="channel-checks">
        <Group justify="space-between" mb="md">
          <div>
            <Title order={2} id="channel-checks">
              {words.checks.title}
            </Title>
            <Text size="xs" c="dimmed">
              {words.checks.hint}
            </Text>
          </div>
          {mayChange && (
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon of={RefreshCw} size={14} />}
              loading={again.isPending}
              onClick={() => again.mutate()}
            >
              {words.checks.again}
            </Button>
          )}
        </Group>
        <PublicUrlNote kind={kind} />
        <CheckList channel={channel} checks={checks} notes={notes} />
      </section>
      {channel.webhook_url !== null && <CopyField label={words.webhookAddress} value={channel.webhook_url} />}
      <Failures place={place} />
      <Deliveries place={place} />
    </div>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
