import { Tooltip, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { agentsQuery, setAvailability } from '../../../api/queries/inbox.ts';
import { useMe } from '../../../api/queries/me.ts';
import { useMay, useNearestWorkspace } from '../../../api/queries/workspace.ts';
import { useTexts } from '../../../texts/texts.tsx';

/** A switch beside the person's name: whether conversations are assigned to them. */
export function Availability() {
  const { texts } = useTexts();
  const words = texts.inbox.availability;
  const workspace = useNearestWorkspace()?.id ?? '';
  const mayWrite = useMay('inbox:reply');
  const me = useMe().person.id;
  const client = useQueryClient();
  const { queryKey, ...query } = agentsQuery(workspace);
  const { data: agents = [] } = useQuery({ queryKey, ...query, enabled: mayWrite && workspace !== '' });
  const own = agents.find(({ id }) => id === me);
  const change = useMutation({
    mutationFn: (available: boolean) => setAvailability(workspace, available),
    onSuccess: (next) => client.setQueryData(queryKey, next),
  });
  if (!mayWrite || own === undefined) return null;
  const available = change.isPending ? change.variables : own.available;
  return (
    <Tooltip label={words.hint} position="right" multiline maw={240}>
      <UnstyledButton
        className="p-available p-rail-text"
        role="switch"
        aria-checked={available}
        aria-label={words.label}
        onClick={() => change.mutate(!available)}
      >
        <span className="p-dot" aria-hidden="true" data-on={available || undefined} />
        {available ? words.available : words.away}
      </UnstyledButton>
    </Tooltip>
  );
}
