import { Group, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ChannelKind } from '../../api/kinds.ts';
import { type Channel, checksQuery, useChangeChannel } from '../../api/queries/channels.ts';
import { useMay, useWorkspace } from '../../api/queries/workspace.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Page } from '../../parts/page.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import type { Fields } from '../../parts/schema-form/json-schema.ts';
import { SchemaForm } from '../../parts/schema-form.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { NoRight } from '../../parts/states/no-right.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { placeWords } from './setup/place-words.ts';
import { DomainTest } from './studio/domain-test.tsx';
import { Previews } from './studio/previews.tsx';
import { useChannelKinds } from './use-channel-kinds.ts';
import './channels.css';

/** A preview is drawn when the person pauses. */
const previewAfterMs = 250;

/** The widget or the page as visitors see it, beside its settings, with what leads there. */
export function Studio() {
  const { texts } = useTexts();
  const workspace = useWorkspace()?.id ?? '';
  const { channel: id = '' } = useParams({ strict: false });
  const kinds = useChannelKinds();
  const { data, error, refetch } = useQuery(checksQuery({ workspace, channel: id }));
  useOwnPolicy();
  const kind = kinds.data?.kinds.find((each) => each.kind === data?.channel.channel);
  const failure = error ?? kinds.error;
  return (
    <Page title={texts.channels.studio.title} {...(data !== undefined && { intro: data.channel.name })}>
      {data !== undefined && kind !== undefined ? (
        <StudioOf channel={data.channel} kind={kind} />
      ) : failure === null ? (
        <Skeletons rows={5} />
      ) : (
        <ErrorState error={failure} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

/** Only this page may have frames. A person who came from another screen without a load has the policy of that screen. */
function useOwnPolicy(): void {
  useEffect(() => {
    if (document.querySelector('meta[name="frames"]') === null) location.reload();
  }, []);
}

interface StudioOfProps {
  readonly channel: Channel;
  readonly kind: ChannelKind;
}

function StudioOf({ channel, kind }: StudioOfProps) {
  const { texts } = useTexts();
  const words = texts.channels.studio;
  const workspace = useWorkspace()?.id ?? '';
  const mayChange = useMay('channels:write');
  const change = useChangeChannel({ workspace, channel: channel.id });
  const names = Object.keys(kind.settings.properties ?? {}).filter(
    (name) => !['enabled', 'verify', 'api_base_url'].includes(name),
  );
  const isWidget = channel.test_url !== null;
  const share = shareAddress(channel);
  const [draft, setChanges] = useState<Fields>({});
  const [changes] = useDebouncedValue(draft, previewAfterMs);
  return (
    <div className="p-studio">
      <div className="p-blocks">
        <section aria-labelledby="studio-form">
          <Title order={2} id="studio-form" mb="md">
            {words.form}
          </Title>
          {mayChange ? (
            <SchemaForm
              schema={kind.settings}
              value={channel.settings}
              only={names}
              place={`${workspace}/channels/${channel.id}/studio`}
              isBusy={change.isPending}
              error={change.error === null ? null : placeWords(change.error, kind.settings)}
              onDraft={setChanges}
              onSubmit={(_all, settings) => change.mutate({ settings })}
            />
          ) : (
            <NoRight />
          )}
        </section>
        {isWidget && <DomainTest channel={channel.id} changes={changes} />}
        {channel.script_tag !== null && (
          <div>
            <CopyField label={words.embed} value={channel.script_tag} />
            <Text size="xs" c="dimmed" mt={4}>
              {words.embedHint}
            </Text>
          </div>
        )}
        <section aria-labelledby="studio-share">
          <Title order={2} id="studio-share" mb="md">
            {words.share}
          </Title>
          <CopyField value={share} />
          <Group mt="md" gap="lg">
            <QrCode text={share} label={words.qrOf(share)} className="p-qr" />
            <Text size="xs" c="dimmed" maw={200}>
              {words.qrHint}
            </Text>
          </Group>
        </section>
      </div>
      <Previews channel={channel} changes={changes} share={share} />
    </div>
  );
}

/** The page of the widget or of the channel, on the public address of the installation. */
function shareAddress({ test_url: testUrl, settings }: Channel): string {
  if (testUrl !== null) return testUrl;
  return new URL(`/c/${String(settings.slug ?? '')}`, location.origin).href;
}
