import { Checkbox, Radio, Stack } from '@mantine/core';
import { useMe } from '../../api/queries/me.ts';
import type { MemberRole } from '../../api/queries/members.ts';
import { useWorkspace } from '../../api/queries/workspace.ts';
import { useTexts } from '../../texts/texts.tsx';

export interface Access {
  readonly role: MemberRole;
  /** Null: all workspaces of the owner. */
  readonly workspaces: readonly string[] | null;
}

interface AccessFieldsProps {
  readonly value: Access;
  readonly onValue: (value: Access) => void;
  readonly disabled?: boolean;
}

const roles: readonly MemberRole[] = ['owner', 'agent', 'viewer'];

/** The role of a person, and the workspaces that they see. */
export function AccessFields({ value, onValue, disabled = false }: AccessFieldsProps) {
  const { texts } = useTexts();
  const words = texts.people;
  const current = useWorkspace();
  const { workspaces } = useMe();
  const ours = workspaces.filter(({ owner }) => owner === current?.owner);
  const chosen = value.workspaces;
  const toggle = (id: string, isOn: boolean) => {
    const before = (chosen ?? []).filter((each) => each !== id);
    onValue({ ...value, workspaces: isOn ? [...before, id] : before });
  };
  return (
    <>
      <Radio.Group
        label={words.role}
        value={value.role}
        onChange={(role) => onValue({ ...value, role: roles.find((each) => each === role) ?? 'viewer' })}
      >
        <Stack gap="sm" mt={4}>
          {roles.map((role) => (
            <Radio
              key={role}
              value={role}
              label={words.roles[role]}
              description={words.roleHelp[role]}
              disabled={disabled}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group
        label={words.workspaces}
        value={chosen === null ? 'all' : 'some'}
        onChange={(which) =>
          onValue({ ...value, workspaces: which === 'all' || current === null ? null : [current.id] })
        }
      >
        <Stack gap="sm" mt={4}>
          <Radio value="all" label={words.allHelp} disabled={disabled} />
          <Radio value="some" label={words.onlySome} disabled={disabled} />
        </Stack>
      </Radio.Group>
      {chosen !== null && (
        <Stack gap="sm" ps="xl" role="group" aria-label={words.onlySome}>
          {ours.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              disabled={disabled}
              checked={chosen.includes(id)}
              onChange={(event) => toggle(id, event.currentTarget.checked)}
            />
          ))}
        </Stack>
      )}
    </>
  );
}
