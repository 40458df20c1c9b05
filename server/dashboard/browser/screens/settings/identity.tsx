import { Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { identitySecretQuery, rotateIdentitySecret } from '../../api/queries/settings.ts';
import { useMay, useWorkspaceId } from '../../api/queries/workspace.ts';
import { RefreshCw } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/page/section.tsx';
import { Page } from '../../parts/page.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { NoRight } from '../../parts/states/no-right.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { CodeCard } from './code-card.tsx';
import { RotateDrawer } from './drawers/rotate-drawer.tsx';
import { SettingFields } from './setting-fields.tsx';

const samples = [
  {
    name: 'Node',
    code: `import { createHmac } from 'node:crypto';

const hash = createHmac('sha256', identitySecret)
  .update(userId)
  .digest('hex');`,
  },
  {
    name: 'Python',
    code: `import hashlib, hmac

hash = hmac.new(identity_secret.encode(), user_id.encode(), hashlib.sha256).hexdigest()`,
  },
  {
    name: 'PHP',
    code: `$hash = hash_hmac('sha256', $userId, $identitySecret);`,
  },
];

/** The secret that proves who asks: its rotation, the rule that needs it, and how a server signs with it. */
export function Identity() {
  const { texts } = useTexts();
  const words = texts.settings;
  const may = useMay('workspace:write');
  return (
    <Page title={words.names.identity} intro={words.about.identity} width="narrow">
      {may ? (
        <>
          <Secret />
          <Section title={words.identity.sample} text={words.identity.sampleText}>
            <CodeCard label={words.identity.sample} samples={samples} framed />
            <Text c="dimmed">{words.identity.result}</Text>
          </Section>
          <Section title={words.identity.rules}>
            <SettingFields group="identity" />
          </Section>
        </>
      ) : (
        <NoRight detail={words.identity.right} />
      )}
    </Page>
  );
}

function Secret() {
  const { texts } = useTexts();
  const words = texts.settings;
  const id = useWorkspaceId();
  const client = useQueryClient();
  const state = useQuery(identitySecretQuery(id));
  const [isRotating, setRotating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const button = (
    <Button
      variant="default"
      leftSection={<Icon of={RefreshCw} size={14} />}
      onClick={() => setRotating(true)}
    >
      {words.rotate.action}
    </Button>
  );
  const until = state.data?.previous_valid_until ?? null;
  return (
    <Section title={words.identity.secret} text={words.identity.secretText} beside={button}>
      {secret !== null && <SecretOnce name={words.identity.secret} secret={secret} />}
      {state.error !== null && <ErrorState error={state.error} onRetry={() => void state.refetch()} />}
      <Stack gap={4}>
        {secret === null && <Text>{words.identity.hidden}</Text>}
        {until !== null && (
          <Text c="var(--p-amber)">
            {words.rotate.untilHint} <TimeAgo at={until} />.
          </Text>
        )}
      </Stack>
      <RotateDrawer
        name={isRotating ? words.identity.secret : null}
        rotate={(grace) => rotateIdentitySecret(id, grace)}
        onRotated={(rotated) => {
          setSecret(rotated.identity_secret);
          setRotating(false);
          void client.invalidateQueries({ queryKey: identitySecretQuery(id).queryKey });
        }}
        onClose={() => setRotating(false)}
      />
    </Section>
  );
}
