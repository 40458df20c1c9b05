import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import type { KeyFields, KeyRights, KeyScope } from '../../../api/queries/keys.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { KeyForm } from './key-form.tsx';
import { useScopeWords } from './scope-words.ts';

/** The scopes that open something today. */
const offered = [
  'query',
  'search',
  'conversations:read',
  'conversations:write',
  'conversations:reply',
  'documents:read',
  'documents:write',
  'webhooks:write',
  'usage:read',
  'people:write',
] as const satisfies readonly KeyScope[];

const presets = {
  usual: ['query', 'conversations:read', 'conversations:write'],
  all: offered,
} as const satisfies Record<string, readonly KeyScope[]>;

/** Returns the name of the preset with exactly these scopes, or `chosen`. */
export function findPreset(scopes: readonly KeyScope[]): keyof typeof presets | 'chosen' {
  const isSame = (preset: readonly KeyScope[]) =>
    preset.length === scopes.length && preset.every((scope) => scopes.includes(scope));
  if (isSame(presets.usual)) return 'usual';
  return isSame(presets.all) ? 'all' : 'chosen';
}

const newKey: KeyFields = {
  name: '',
  rate_limit_minute: 60,
  rate_limit_day: 1_000,
  allowed_networks: [],
  expires_at: null,
};

interface NewKeyProps {
  readonly onSubmit: (fields: KeyFields & KeyRights) => void;
  readonly isBusy: boolean;
  readonly error: unknown;
}

/** Name, rights, limits and expiry of a key that is not there yet. */
export function NewKey({ onSubmit, isBusy, error }: NewKeyProps) {
  const { texts } = useTexts();
  const [rights, setRights] = useState<KeyRights>({ scopes: presets.usual, workspaces: 'own', mode: 'live' });
  return (
    <KeyForm
      value={newKey}
      submitLabel={texts.settings.keys.create}
      onSubmit={(fields) => onSubmit({ ...fields, ...rights })}
      isBusy={isBusy}
      isIncomplete={rights.scopes.length === 0}
      error={error}
    >
      <RightsFields value={rights} onChange={setRights} />
    </KeyForm>
  );
}

interface RightsFieldsProps {
  readonly value: KeyRights;
  readonly onChange: (rights: KeyRights) => void;
}

function RightsFields({ value, onChange }: RightsFieldsProps) {
  const words = useScopeWords();
  const { scopes, workspaces, mode } = value;
  const preset = findPreset(scopes);
  return (
    <>
      <NativeSelect
        label={words.preset}
        value={preset}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value;
          if (chosen === 'usual' || chosen === 'all') onChange({ ...value, scopes: presets[chosen] });
        }}
        data={[
          { value: 'usual', label: words.presets.usual },
          { value: 'all', label: words.presets.all },
          { value: 'chosen', label: words.presets.chosen, disabled: preset !== 'chosen' },
        ]}
      />
      <Checkbox.Group
        label={words.label}
        description={words.hint}
        value={[...scopes]}
        onChange={(next) => onChange({ ...value, scopes: offered.filter((scope) => next.includes(scope)) })}
      >
        <Stack gap="sm" mt="xs">
          {offered.map((scope) => (
            <Checkbox key={scope} value={scope} label={words.scopes[scope]} description={scope} />
          ))}
        </Stack>
      </Checkbox.Group>
      <NativeSelect
        label={words.reach}
        value={workspaces}
        onChange={({ currentTarget }) =>
          onChange({ ...value, workspaces: currentTarget.value === 'owner' ? 'owner' : 'own' })
        }
        data={[
          { value: 'own', label: words.own },
          { value: 'owner', label: words.owner },
        ]}
      />
      <NativeSelect
        label={words.mode}
        description={words.modeHint}
        value={mode}
        onChange={({ currentTarget }) =>
          onChange({ ...value, mode: currentTarget.value === 'test' ? 'test' : 'live' })
        }
        data={[
          { value: 'live', label: words.modes.live },
          { value: 'test', label: words.modes.test },
        ]}
      />
    </>
  );
}
