import { Group, NativeSelect, Text, TextInput, UnstyledButton } from '@mantine/core';
import { X } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { useInsightWords } from './insight-words.ts';
import { useFilterNames } from './use-filter-names.ts';
import { filterNames, rangeDays, useScope } from './use-scope.ts';

/** The range and the filters of the page. Both stand in the address. */
export function ScopeBar() {
  const words = useInsightWords();
  const { scope, values, days, change } = useScope();
  const nameOf = useFilterNames();
  const chosen = filterNames.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [{ name, label: `${words.filters[name]}: ${nameOf(name, value)}` }];
  });
  const chooseRange = (value: string) =>
    void (value === 'own'
      ? change({ days: '', from: scope.from ?? '', to: scope.to ?? '' })
      : change({ days: value, from: '', to: '' }));
  const isOwn = days === null;
  return (
    <div className="p-scope-bar">
      <Group gap="sm" wrap="wrap" align="flex-end">
        <NativeSelect
          size="xs"
          aria-label={words.range}
          value={days ?? 'own'}
          data={[
            ...rangeDays.map((each) => ({ value: each, label: words.ranges[each] })),
            { value: 'own', label: words.ranges.own },
          ]}
          onChange={(event) => chooseRange(event.currentTarget.value)}
        />
        {isOwn &&
          (['from', 'to'] as const).map((name) => (
            <TextInput
              key={name}
              size="xs"
              type="date"
              aria-label={words[name]}
              value={values[name] ?? ''}
              max={name === 'from' ? values.to : undefined}
              min={name === 'to' ? values.from : undefined}
              onChange={({ currentTarget: { value } }) =>
                value !== '' && void change({ [name]: value }, { replace: true })
              }
            />
          ))}
        {chosen.map(({ name, label }) => (
          <UnstyledButton
            key={name}
            className="p-scope-chip"
            aria-label={words.removeFilter(label)}
            onClick={() => void change({ [name]: '' }, { replace: true })}
          >
            {label}
            <Icon of={X} size={12} />
          </UnstyledButton>
        ))}
        {chosen.length === 0 && (
          <Text size="xs" c="var(--p-text-2)" className="p-scope-hint">
            {words.filterHint}
          </Text>
        )}
      </Group>
    </div>
  );
}
