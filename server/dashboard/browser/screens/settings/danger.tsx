import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { meQuery } from '../../api/queries/me.ts';
import { deleteWorkspace } from '../../api/queries/settings.ts';
import { useMay, useWorkspace } from '../../api/queries/workspace.ts';
import { Trash2 } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/page/section.tsx';
import { Page } from '../../parts/page.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { NoRight } from '../../parts/states/no-right.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** The end of a workspace, confirmed by typing its name. */
export function Danger() {
  const { texts } = useTexts();
  const words = texts.settings;
  const may = useMay('workspace:write');
  const workspace = useWorkspace();
  return (
    <Page title={words.names.danger} intro={words.about.danger} width="narrow">
      {may && workspace !== null ? (
        <Section title={words.danger.delete} text={words.danger.text}>
          <DeleteForm id={workspace.id} name={workspace.name} />
        </Section>
      ) : (
        <NoRight detail={words.danger.right} />
      )}
    </Page>
  );
}

function DeleteForm({ id, name }: { readonly id: string; readonly name: string }) {
  const { texts } = useTexts();
  const words = texts.settings.danger;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    mutationFn: () => deleteWorkspace(id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: meQuery.queryKey });
      await navigate({ to: '/' });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === name) remove.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg" maw={360}>
        <TextInput
          label={words.type(name)}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {remove.error !== null && <FaultLine>{toProblem(remove.error).message}</FaultLine>}
        <div>
          <Button
            type="submit"
            color="red"
            leftSection={<Icon of={Trash2} size={14} />}
            disabled={typed.trim() !== name}
            loading={remove.isPending}
          >
            {words.submit}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
