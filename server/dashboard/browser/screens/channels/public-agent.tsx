import { Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { publicAgentQuery, useChangePublicAgent } from '../../api/queries/public-agent.ts';
import { useMay, useWorkspace } from '../../api/queries/workspace.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Page } from '../../parts/page.tsx';
import { SchemaForm } from '../../parts/schema-form.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { NoRight } from '../../parts/states/no-right.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useChannelKinds } from './use-channel-kinds.ts';
import './channels.css';

/** The switches of the protocols that other programs use without a key, and their addresses. */
export function PublicAgent() {
  const { texts } = useTexts();
  const words = texts.channels.agent;
  const workspace = useWorkspace()?.id ?? '';
  const mayChange = useMay('workspace:write');
  const { data, error, refetch } = useQuery(publicAgentQuery(workspace));
  const kinds = useChannelKinds();
  const change = useChangePublicAgent(workspace);
  const base = `${kinds.data?.public_url ?? location.origin}/api/nlweb/${workspace}`;
  const settings = data?.settings ?? {};
  const shown = change.isPending ? { ...settings, ...change.variables } : settings;
  const isOn = shown.nlweb_enabled === true || shown.mcp_enabled === true;
  return (
    <Page title={texts.channels.publicAgent.name} intro={words.intro} width="narrow">
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeletons rows={4} />
      ) : (
        <div className="p-blocks">
          {!mayChange && <NoRight />}
          <Stack gap="lg">
            <Switch
              label={words.nlweb}
              description={words.nlwebHint}
              color="petrol"
              disabled={!mayChange}
              checked={shown.nlweb_enabled === true}
              onChange={(event) => change.mutate({ nlweb_enabled: event.currentTarget.checked })}
            />
            <Switch
              label={words.mcp}
              description={words.mcpHint}
              color="petrol"
              disabled={!mayChange}
              checked={shown.mcp_enabled === true}
              onChange={(event) => change.mutate({ mcp_enabled: event.currentTarget.checked })}
            />
            {change.error !== null && <FaultLine>{change.error.message}</FaultLine>}
          </Stack>
          <section aria-labelledby="agent-addresses">
            <Title order={2} id="agent-addresses" mb="md">
              {words.addresses}
            </Title>
            <Stack gap="md">
              {shown.nlweb_enabled === true && <CopyField label={words.nlwebAddress} value={base} />}
              {shown.mcp_enabled === true && <CopyField label={words.mcpAddress} value={`${base}/mcp`} />}
              {!isOn && <Text c="dimmed">{words.offHint}</Text>}
              <a href="/docs/guide/agents" target="_blank" rel="noreferrer">
                {words.documentation}
              </a>
            </Stack>
          </section>
          {mayChange && (
            <SchemaForm
              schema={{
                type: 'object',
                properties: {
                  description: {
                    type: 'string',
                    title: words.description,
                    description: words.descriptionHint,
                    maxLength: 1_000,
                  },
                },
              }}
              value={settings.description === undefined ? {} : { description: settings.description }}
              isBusy={change.isPending}
              onSubmit={(fields) =>
                change.mutate({
                  description: typeof fields.description === 'string' ? fields.description : '',
                })
              }
            />
          )}
        </div>
      )}
    </Page>
  );
}
