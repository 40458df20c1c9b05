import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { createWebhook, type WebhookEvent } from '../../../api/queries/webhooks.ts';
import { useWorkspaceId } from '../../../api/queries/workspace.ts';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';

interface WebhookFormProps {
  readonly onCreated: (webhook: { readonly id: string; readonly secret: string }) => void;
}

const events = [
  'conversation.created',
  'message.created',
  'message.failed',
  'answer.low_confidence',
  'message.feedback',
  'lead.captured',
  'conversation.escalated',
  'conversation.status_changed',
  'document.indexed',
  'document.failed',
  'sla.at_risk',
  'sla.breached',
  'source.held',
] as const satisfies readonly WebhookEvent[];

/** The address and the events of a new webhook. */
export function WebhookForm({ onCreated }: WebhookFormProps) {
  const { texts } = useTexts();
  const words = texts.settings.webhooks;
  const id = useWorkspaceId();
  const [url, setUrl] = useState('');
  const [all, setAll] = useState(true);
  const [chosen, setChosen] = useState<readonly WebhookEvent[]>([]);
  const create = useMutation({
    mutationFn: () => createWebhook(id, { url, events: all ? ['*'] : [...chosen] }),
    onSuccess: onCreated,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const problem = create.error === null ? null : toProblem(create.error);
  const isOfUrl = problem?.code === 'invalid_url';
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <TextInput
          label={words.url}
          description={words.urlHint}
          type="url"
          placeholder="https://"
          required
          withAsterisk={false}
          data-autofocus
          dir="ltr"
          error={isOfUrl ? problem.message : undefined}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Checkbox.Group
          label={words.events}
          value={all ? [] : [...chosen]}
          onChange={(next) => setChosen(events.filter((event) => next.includes(event)))}
        >
          <Stack gap="sm" mt={4}>
            <Checkbox
              label={words.all}
              checked={all}
              onChange={(event) => setAll(event.currentTarget.checked)}
            />
            {!all && events.map((event) => <Checkbox key={event} value={event} label={event} />)}
          </Stack>
        </Checkbox.Group>
        {problem !== null && !isOfUrl && <FaultLine>{problem.message}</FaultLine>}
        <div>
          <Button type="submit" loading={create.isPending} disabled={!all && chosen.length === 0}>
            {words.create}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
