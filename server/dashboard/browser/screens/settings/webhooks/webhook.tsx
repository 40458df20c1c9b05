import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import {
  deleteWebhook,
  enableWebhook,
  type Webhook as Hook,
  restoreWebhook,
  rotateWebhook,
  testWebhook,
  webhooksQuery,
} from '../../../api/queries/webhooks.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { ChevronLeft, Pause, Play, RefreshCw } from '../../../icons.ts';
import { CopyField } from '../../../parts/copy-field.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Section } from '../../../parts/page/section.tsx';
import { Page } from '../../../parts/page.tsx';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { NoRight } from '../../../parts/states/no-right.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useUndoable } from '../../../undo/use-undoable.ts';
import { NothingHere } from '../../nothing-here.tsx';
import { DeleteSection } from '../delete-section.tsx';
import { RotateDrawer } from '../drawers/rotate-drawer.tsx';
import { Deliveries } from './deliveries.tsx';

/** One webhook: its address and events, its deliveries with their answers, and how it ends. */
export function WebhookPage() {
  const { texts } = useTexts();
  const words = texts.settings;
  const id = useWorkspaceId();
  const may = useMay('developers:read');
  const { webhook: hookId } = useParams({ strict: false });
  const query = useQuery({ ...webhooksQuery(id), enabled: may });
  const hook = query.data?.webhooks.find((each) => each.id === hookId);
  if (query.isSuccess && hook === undefined) return <NothingHere />;
  const title = hook === undefined ? words.names.webhooks : new URL(hook.url).host;
  return (
    <Page
      title={title}
      intro={
        <Link to={`/w/${id}/settings/webhooks`}>
          <Icon of={ChevronLeft} size={12} /> {words.webhooks.back}
        </Link>
      }
    >
      {!may && <NoRight detail={words.webhooks.right} />}
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {may && query.isPending && <Skeletons rows={4} />}
      {hook !== undefined && <HookSections hook={hook} />}
    </Page>
  );
}

function HookSections({ hook }: { readonly hook: Hook }) {
  const { texts } = useTexts();
  const words = texts.settings.webhooks;
  const id = useWorkspaceId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isRotating, setRotating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['webhooks', id] });
  const enable = useMutation({
    mutationFn: () => enableWebhook(id, hook.id, !hook.enabled),
    onSuccess: refresh,
  });
  const test = useMutation({ mutationFn: () => testWebhook(id, hook.id), onSuccess: refresh });
  const remove = useUndoable({
    act: async () => {
      await deleteWebhook(id, hook.id);
      await navigate({ to: `/w/${id}/settings/webhooks` });
    },
    undo: () => restoreWebhook(id, hook.id),
    done: () => words.deleted(new URL(hook.url).host),
    refresh,
  });
  const error = enable.error ?? test.error;
  return (
    <>
      <Stack gap="lg" mb={32}>
        {secret !== null && <SecretOnce name={words.secretOf} secret={secret} />}
        {error !== null && <ErrorState error={error} />}
        {hook.disabled_reason !== null && (
          <Text c="var(--p-amber)">
            {words.reason}: {hook.disabled_reason}
          </Text>
        )}
        <CopyField label={words.url} value={hook.url} />
        <div>
          <Text fw={500} mb={4}>
            {words.events}
          </Text>
          <Group gap={6}>
            {hook.events.includes('*') ? (
              <span className="p-tag">{words.all}</span>
            ) : (
              hook.events.map((event) => (
                <span key={event} className="p-tag">
                  {event}
                </span>
              ))
            )}
          </Group>
        </div>
        <Group gap="sm">
          <Button
            leftSection={<Icon of={Play} size={14} />}
            loading={test.isPending}
            disabled={!hook.enabled}
            onClick={() => test.mutate()}
          >
            {words.test}
          </Button>
          <Button
            variant="default"
            leftSection={<Icon of={RefreshCw} size={14} />}
            onClick={() => setRotating(true)}
          >
            {words.rotate}
          </Button>
          <Button
            variant="default"
            leftSection={<Icon of={hook.enabled ? Pause : Play} size={14} />}
            loading={enable.isPending}
            onClick={() => enable.mutate()}
          >
            {hook.enabled ? words.disable : words.enable}
          </Button>
        </Group>
        <div role="status">{test.isSuccess && <Text c="var(--p-green)">{words.tested}</Text>}</div>
      </Stack>
      <Section title={words.deliveries} text={words.deliveriesText}>
        <Deliveries hook={hook} isEnding={remove.isPending} />
      </Section>
      <DeleteSection
        text={words.deleteText}
        isBusy={remove.isPending}
        error={remove.error}
        onDelete={() => remove.mutate()}
      />
      <RotateDrawer
        name={isRotating ? words.secretOf : null}
        rotate={(grace) => rotateWebhook(id, hook.id, grace)}
        onRotated={(rotated) => {
          setSecret(rotated.secret);
          setRotating(false);
        }}
        onClose={() => setRotating(false)}
      />
    </>
  );
}
