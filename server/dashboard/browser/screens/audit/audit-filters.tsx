import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { useSearchValues } from '../use-search-values.ts';

/** The filters of the audit log. Each stands in the address. */
export function AuditFilters() {
  const { texts, language } = useTexts();
  const words = texts.audit;
  const { values, change } = useSearchValues();
  const [actor, setActor] = useState(values.actor ?? '');
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (actor.trim() !== (values.actor ?? '')) void change({ actor: actor.trim() });
  };
  const known = Object.entries(words.actions)
    .map(([value, label]) => ({ value, label }))
    .sort((one, other) => one.label.localeCompare(other.label, language));
  const chosen = values.action ?? '';
  const isKnown = chosen === '' || known.some(({ value }) => value === chosen);
  return (
    <form className="p-audit-filters" onSubmit={submit}>
      <TextInput
        label={words.who}
        placeholder={words.whoHelp}
        value={actor}
        onChange={(event) => setActor(event.currentTarget.value)}
        onBlur={() => submit()}
      />
      <NativeSelect
        label={words.what}
        value={chosen}
        onChange={(event) => void change({ action: event.currentTarget.value })}
        data={[
          { value: '', label: words.anything },
          ...(isKnown ? [] : [{ value: chosen, label: chosen }]),
          ...known,
        ]}
      />
      <TextInput
        type="date"
        label={words.from}
        value={values.from ?? ''}
        onChange={(event) => void change({ from: event.currentTarget.value }, { replace: true })}
      />
      <TextInput
        type="date"
        label={words.to}
        value={values.to ?? ''}
        onChange={(event) => void change({ to: event.currentTarget.value }, { replace: true })}
      />
      <Switch
        className="p-audit-switch"
        label={words.conversations}
        checked={values.conversations === 'true'}
        onChange={(event) => void change({ conversations: event.currentTarget.checked ? 'true' : '' })}
      />
    </form>
  );
}
