import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ChannelChecks, checksQuery, useCheckChannel } from '../../../api/queries/channels.ts';
import { ExternalLink, RefreshCw } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { KindTile } from '../cards/kind-tile.tsx';
import { CheckList } from './check-list.tsx';
import { GuideSteps } from './guide-steps.tsx';

interface LiveCheckProps {
  readonly workspace: string;
  readonly channel: string;
}

/** The remaining steps on the platform, and the checks that turn green by themselves. */
export function LiveCheck({ workspace, channel: id }: LiveCheckProps) {
  const { texts } = useTexts();
  const place = { workspace, channel: id };
  const { data, error, refetch } = useQuery(checksQuery(place));
  const again = useCheckChannel(place);
  if (data === undefined) {
    return error === null ? (
      <Skeletons rows={4} height={64} tile />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    );
  }
  const left = data.guide.steps.filter(({ phase }) => phase === 'after');
  return (
    <>
      {left.length > 0 && <GuideSteps steps={left} />}
      <Invitation checks={data} />
      <CheckList channel={data.channel} checks={data.checks} notes={data.notes} />
      <Group mt="md">
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon of={RefreshCw} size={14} />}
          loading={again.isPending}
          onClick={() => again.mutate()}
        >
          {texts.channels.checks.again}
        </Button>
      </Group>
    </>
  );
}

/** Whom to write to, until a message came in. */
function Invitation({ checks: { channel, checks } }: { readonly checks: ChannelChecks }) {
  const { texts } = useTexts();
  const words = texts.channels.wizard.check;
  const isProven = checks.some(({ id, state }) => id === 'message' && state === 'done');
  if (isProven) return null;
  return (
    <div className="p-invite">
      <KindTile kind={channel.channel} />
      <div className="p-channel-names">
        <Text fw={600}>{words.writeTo(channel.handle ?? channel.name)}</Text>
        <Text size="xs" c="var(--p-text-2)">
          {words.writeHint}
        </Text>
      </div>
      {channel.chat_url !== null && (
        <Button
          component="a"
          href={channel.chat_url}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<Icon of={ExternalLink} size={14} />}
        >
          {words.openPage}
        </Button>
      )}
    </div>
  );
}
