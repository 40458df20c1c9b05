import { Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ChannelKind } from '../../../api/kinds.ts';
import { type Channel, useChangeChannel, useInstallLink } from '../../../api/queries/channels.ts';
import { useWorkspace } from '../../../api/queries/workspace.ts';
import { CopyField } from '../../../parts/copy-field.tsx';
import { SchemaForm } from '../../../parts/schema-form.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { placeWords } from '../setup/place-words.ts';

interface ChannelSettingsProps {
  readonly channel: Channel;
  readonly kind: ChannelKind;
}

/** Settings with a switch of their own, or that no stored channel has. */
const elsewhere = ['enabled', 'verify'];

/** The name of the channel, its settings, and links that install its app in other teams. */
export function ChannelSettings({ channel, kind }: ChannelSettingsProps) {
  const { texts } = useTexts();
  const workspace = useWorkspace()?.id ?? '';
  const place = { workspace, channel: channel.id };
  const change = useChangeChannel(place);
  const names = Object.keys(kind.settings.properties ?? {}).filter((name) => !elsewhere.includes(name));
  return (
    <div className="p-blocks">
      <NameForm key={channel.name} channel={channel} />
      <SchemaForm
        schema={kind.settings}
        value={channel.settings}
        only={names}
        place={`${workspace}/channels/${channel.id}/settings`}
        isBusy={change.isPending}
        error={change.error === null ? null : placeWords(change.error, kind.settings)}
        onSubmit={(_all, settings) => change.mutate({ settings })}
      />
      <Text role="status" size="sm">
        {change.isSuccess ? texts.channels.page.settings.saved : ''}
      </Text>
      {kind.facets.includes('install_links') && channel.parent === null && <InstallLinks {...place} />}
    </div>
  );
}

function NameForm({ channel }: { readonly channel: Channel }) {
  const { texts } = useTexts();
  const workspace = useWorkspace()?.id ?? '';
  const [name, setName] = useState(channel.name);
  const change = useChangeChannel({ workspace, channel: channel.id });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ name: name.trim() });
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label={texts.channels.page.settings.name}
        required
        withAsterisk={false}
        maxLength={200}
        value={name}
        error={change.error === null ? null : change.error.message}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        type="submit"
        mt="md"
        loading={change.isPending}
        disabled={name.trim() === '' || name.trim() === channel.name}
      >
        {texts.parts.save}
      </Button>
    </form>
  );
}

function InstallLinks(place: { readonly workspace: string; readonly channel: string }) {
  const { texts } = useTexts();
  const words = texts.channels.page.installs;
  const make = useInstallLink(place);
  return (
    <section aria-labelledby="channel-installs">
      <Title order={2} id="channel-installs">
        {words.title}
      </Title>
      <Text c="dimmed" mb="md">
        {words.text}
      </Text>
      <Stack gap="md" align="flex-start">
        <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
          {words.make}
        </Button>
        {make.error !== null && <FaultLine>{make.error.message}</FaultLine>}
        {make.data !== undefined && <CopyField label={words.link} value={make.data.url} />}
      </Stack>
    </section>
  );
}
