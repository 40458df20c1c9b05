import { Button, Group, NativeSelect, NumberInput, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import type { KeyFields } from '../../../api/queries/keys.ts';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useScopeWords } from './scope-words.ts';

interface KeyFormProps {
  readonly value: KeyFields;
  readonly submitLabel: string;
  readonly onSubmit: (fields: KeyFields) => void;
  readonly isBusy: boolean;
  /** Whether something beside the fields is missing. */
  readonly isIncomplete?: boolean;
  readonly error: unknown;
  /** Shown below the name. */
  readonly children?: ReactNode;
}

const expiryDays = [30, 90, 365];
const dayMs = 24 * 3_600_000;

/** Name, limits, networks and expiry of a key. */
export function KeyForm({
  value,
  submitLabel,
  onSubmit,
  isBusy,
  isIncomplete = false,
  error,
  children,
}: KeyFormProps) {
  const { texts, locale } = useTexts();
  const words = texts.settings.keys;
  const scopeWords = useScopeWords();
  const [fields, setFields] = useState(value);
  const [networks, setNetworks] = useState(value.allowed_networks.join('\n'));
  const [expiry, setExpiry] = useState(value.expires_at === null ? '' : 'kept');
  const problem = error === null ? null : toProblem(error);
  const fault = (field: string) => (problem?.code === `invalid_${field}` ? problem.message : undefined);
  const placed = ['name', 'rate_limit_minute', 'rate_limit_day', 'allowed_networks', 'expires_at'];
  const isPlaced = placed.some((field) => fault(field) !== undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const later = new Date(Date.now() + Number(expiry) * dayMs).toISOString();
    const chosen = expiry === '' ? null : later;
    const allowed_networks = networks.split(/[\s,]+/).filter((network) => network !== '');
    onSubmit({ ...fields, allowed_networks, expires_at: expiry === 'kept' ? value.expires_at : chosen });
  };
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <TextInput
          label={words.name}
          description={words.nameHint}
          required
          withAsterisk={false}
          data-autofocus
          maxLength={200}
          error={fault('name')}
          value={fields.name}
          onChange={(event) => setFields({ ...fields, name: event.currentTarget.value })}
        />
        {children}
        <Group grow align="flex-start">
          <NumberInput
            label={words.minute}
            clampBehavior="none"
            error={fault('rate_limit_minute')}
            value={fields.rate_limit_minute}
            onChange={(next) => setFields({ ...fields, rate_limit_minute: Number(next) })}
          />
          <NumberInput
            label={words.day}
            clampBehavior="none"
            error={fault('rate_limit_day')}
            value={fields.rate_limit_day}
            onChange={(next) => setFields({ ...fields, rate_limit_day: Number(next) })}
          />
        </Group>
        <Textarea
          label={scopeWords.networks}
          description={scopeWords.networksHint}
          autosize
          minRows={1}
          maxRows={8}
          dir="ltr"
          error={fault('allowed_networks')}
          value={networks}
          onChange={(event) => setNetworks(event.currentTarget.value)}
        />
        <NativeSelect
          label={words.expires}
          error={fault('expires_at')}
          value={expiry}
          onChange={(event) => setExpiry(event.currentTarget.value)}
          data={[
            { value: '', label: words.never },
            ...(value.expires_at === null
              ? []
              : [{ value: 'kept', label: words.asIs(date.format(new Date(value.expires_at))) }]),
            ...expiryDays.map((days) => ({ value: String(days), label: words.inDays(days) })),
          ]}
        />
        {problem !== null && !isPlaced && <FaultLine>{problem.message}</FaultLine>}
        <div>
          <Button type="submit" loading={isBusy} disabled={isIncomplete}>
            {submitLabel}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
