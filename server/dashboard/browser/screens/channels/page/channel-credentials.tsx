import { Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { ChannelKind } from '../../../api/kinds.ts';
import { type Channel, useChangeChannel } from '../../../api/queries/channels.ts';
import { useWorkspace } from '../../../api/queries/workspace.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { AccountForm } from '../setup/account-form.tsx';
import { MailboxStep } from '../setup/mailbox/mailbox-step.tsx';

interface ChannelCredentialsProps {
  readonly channel: Channel;
  readonly kind: ChannelKind;
}

/** New credentials in place of the old ones, which work until the platform has accepted the new ones. */
export function ChannelCredentials({ channel, kind }: ChannelCredentialsProps) {
  const { texts } = useTexts();
  const words = texts.channels.page.credentials;
  const workspace = useWorkspace()?.id ?? '';
  const change = useChangeChannel({ workspace, channel: channel.id });
  const [isReplaced, setReplaced] = useState(false);
  if (Object.keys(kind.credentials.properties ?? {}).length === 0)
    return <Text c="dimmed">{words.none}</Text>;
  return (
    <section aria-labelledby="channel-credentials">
      <Title order={2} id="channel-credentials">
        {words.title}
      </Title>
      <Text c="var(--p-text-2)" mb="lg">
        {words.text}
      </Text>
      {kind.facets.includes('mailbox') ? (
        <MailboxStep
          workspace={workspace}
          kind={kind}
          name={channel.name}
          channel={channel}
          onStored={(_stored, isProven) => setReplaced(isProven)}
        />
      ) : (
        <AccountForm
          key={change.submittedAt * Number(change.isSuccess)}
          kind={kind}
          credentialsOnly
          submitLabel={words.submit}
          isBusy={change.isPending}
          error={change.error}
          onSubmit={({ credentials }) => change.mutate({ credentials })}
        />
      )}
      <Text role="status" mt="md" c="var(--p-green)">
        {change.isSuccess || isReplaced ? words.replaced : ''}
      </Text>
    </section>
  );
}
