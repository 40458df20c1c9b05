import { Button, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { answer, api } from '../../api/client.ts';
import { toProblem } from '../../api/problem.ts';
import { meQuery, useMe } from '../../api/queries/me.ts';
import { useMayCreateWorkspaces, useNearestWorkspace } from '../../api/queries/workspace.ts';
import { Plus } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { NoRight } from '../../parts/states/no-right.tsx';
import { useWords } from '../../texts/texts.tsx';
import { english, german } from './texts.ts';

/** Makes a workspace for the owner of the one that was open before. */
export function NewWorkspace() {
  const words = useWords({ en: english, de: german });
  const may = useMayCreateWorkspaces();
  return (
    <Page title={words.title} intro={words.intro} width="narrow">
      {may ? <Form /> : <NoRight detail={words.right} />}
    </Page>
  );
}

function Form() {
  const words = useWords({ en: english, de: german });
  const { workspaces } = useMe();
  const near = useNearestWorkspace();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [copied, setCopied] = useState<string | null>(null);
  const create = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/admin/v1/workspaces', {
          body: {
            name: name.trim(),
            ...(near !== null && { owner: near.owner }),
            ...(copied !== null && { copy_settings_from: copied }),
          },
        }),
      ),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: meQuery.queryKey });
      await navigate({ to: '/w/$workspace/knowledge/documents', params: { workspace: id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '' && !create.isPending) create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg" maw={420}>
        <TextInput
          label={words.name}
          description={words.nameText}
          maxLength={200}
          autoComplete="off"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={words.settings}
          description={words.settingsText}
          placeholder={words.fresh}
          clearable
          searchable
          limit={50}
          nothingFoundMessage={words.noneFound}
          data={workspaces.map(({ id, name: label }) => ({ value: id, label }))}
          value={copied}
          onChange={setCopied}
        />
        {create.error !== null && <FaultLine>{toProblem(create.error).message}</FaultLine>}
        <div>
          <Button
            type="submit"
            leftSection={<Icon of={Plus} size={14} />}
            disabled={name.trim() === ''}
            loading={create.isPending}
          >
            {words.submit}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
