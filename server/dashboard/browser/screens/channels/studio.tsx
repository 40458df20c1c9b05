import { Button, Group, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import {
  type Channel,
  type ChannelKind,
  checksQuery,
  kindsQuery,
  useChangeChannel,
} from '../../api/queries/channels.ts';
import { publicAgentQuery } from '../../api/queries/public-agent.ts';
import { useMay, useWorkspace } from '../../api/queries/workspace.ts';
import { ExternalLink } from '../../icons.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import { SchemaForm } from '../../parts/schema-form.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { NoRight } from '../../parts/states/no-right.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { placeWords } from './setup/place-words.ts';
import './channels.css';

/** The widget or the page as visitors see it, beside its settings, with what leads there. */
export function Studio() {
  const { texts } = useTexts();
  const workspace = useWorkspace()?.id ?? '';
  const { channel: id = '' } = useParams({ strict: false });
  const kinds = useQuery(kindsQuery());
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
              isBusy={change.isPending}
              error={change.error === null ? null : placeWords(change.error, kind.settings)}
              onSubmit={(_all, settings) => change.mutate({ settings })}
            />
          ) : (
            <NoRight />
          )}
        </section>
        {isWidget && <DomainTest channel={channel} />}
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
      <section className="p-studio-preview" aria-labelledby="studio-preview">
        <Group justify="space-between">
          <Title order={2} id="studio-preview">
            {words.preview}
          </Title>
          <Button
            component="a"
            href={share}
            target="_blank"
            rel="noreferrer"
            variant="default"
            size="xs"
            leftSection={<Icon of={ExternalLink} size={14} />}
          >
            {words.openPage}
          </Button>
        </Group>
        {channel.enabled ? (
          <iframe
            // Changed settings show in a page that is loaded anew.
            key={JSON.stringify(channel.settings)}
            className="p-studio-frame"
            title={words.previewOf(channel.name)}
            src={new URL(share).pathname}
          />
        ) : (
          <Text>{words.previewOff}</Text>
        )}
        <Text size="xs" c="dimmed">
          {words.previewHint}
        </Text>
      </section>
    </div>
  );
}

/** The page of the widget or of the channel, on the public address of the installation. */
function shareAddress({ test_url: testUrl, settings }: Channel): string {
  if (testUrl !== null) return testUrl;
  return new URL(`/c/${String(settings.slug ?? '')}`, location.origin).href;
}

/** Says whether a page of a domain may show the widget. */
function DomainTest({ channel }: { readonly channel: Channel }) {
  const { texts } = useTexts();
  const words = texts.channels.studio.domains;
  const workspace = useWorkspace()?.id ?? '';
  const [domain, setDomain] = useState('');
  const { data } = useQuery(publicAgentQuery(workspace));
  const own = listOf(channel.settings.allowed_domains);
  const allowed = own.length > 0 ? own : listOf(data?.settings.allowed_domains);
  const host = domain.trim().toLowerCase();
  const verdict = allowed.some((each) => isCovered(host, each.toLowerCase()))
    ? words.yes(host)
    : words.no(host);
  return (
    <section aria-labelledby="studio-domains">
      <Title order={2} id="studio-domains" mb="md">
        {words.title}
      </Title>
      {allowed.length === 0 ? (
        <Text>{words.any}</Text>
      ) : (
        <>
          <TextInput
            label={words.label}
            placeholder={words.placeholder}
            maw={320}
            value={domain}
            onChange={(event) => setDomain(event.currentTarget.value)}
          />
          <Text role="status" mt="sm">
            {host === '' ? '' : verdict}
          </Text>
        </>
      )}
    </section>
  );
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function isCovered(host: string, pattern: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}
