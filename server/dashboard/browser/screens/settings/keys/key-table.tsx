import { ActionIcon, Button, Group, Menu, Popover, Stack, Text, UnstyledButton } from '@mantine/core';
import type { Key } from '../../../api/queries/keys.ts';
import { useMe } from '../../../api/queries/me.ts';
import { Ellipsis, Pencil, RefreshCw, Trash2, TriangleAlert } from '../../../icons.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { findPreset } from './new-key.tsx';
import { useScopeWords } from './scope-words.ts';
import { Sparkline } from './sparkline.tsx';

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly onRotate: (key: Key) => void;
  readonly onEdit: (key: Key) => void;
  readonly onRevoke: (key: Key) => void;
}

/** A key that was silent for as long is told below the table. */
const silentDays = 30;
const dayMs = 24 * 3_600_000;

/** One row a key: its ending, who made it, its last use, its thirty days, its limits. */
export function KeyTable({ keys, onRotate, onEdit, onRevoke }: KeyTableProps) {
  const { texts, locale } = useTexts();
  const words = texts.settings.keys;
  const scopeWords = useScopeWords();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const columns: readonly Column<Key>[] = [
    { key: 'key', title: words.key, cell: (key) => <KeyName apiKey={key} /> },
    { key: 'may', title: scopeWords.column, width: 180, cell: (key) => <Rights apiKey={key} /> },
    { key: 'used', title: words.lastUsed, cell: (key) => <LastUsed apiKey={key} /> },
    {
      key: 'month',
      title: words.month,
      width: 140,
      cell: (key) => <Sparkline days={key.days} label={describe(countOutcomes(key), words).join(', ')} />,
    },
    { key: 'outcomes', title: words.outcomes, cell: (key) => <Outcomes apiKey={key} /> },
    { key: 'limit', title: words.limit, cell: (key) => words.perMinute(key.rate_limit_minute) },
    {
      key: 'expires',
      title: words.expires,
      cell: ({ expires_at: at }) => (at === null ? words.never : date.format(new Date(at))),
    },
    {
      key: 'actions',
      title: words.actions,
      align: 'end',
      cell: (key) =>
        key.revoked_at === null ? (
          <Actions apiKey={key} {...{ onRotate, onEdit, onRevoke }} />
        ) : (
          <Text size="xs" c="dimmed">
            {words.revokedAt} <TimeAgo at={key.revoked_at} />
          </Text>
        ),
    },
  ];
  return (
    <div>
      <DataTable
        label={words.table}
        columns={columns}
        rows={keys}
        rowKey={({ id }) => id}
        rowHeight={52}
        minWidth={1060}
      />
      <Stack gap={4} mt="md">
        {keys
          .filter((key) => key.revoked_at === null && silence(key) >= silentDays)
          .map((key) => (
            <Group key={key.id} gap={6} c="var(--p-amber)" wrap="nowrap">
              <Icon of={TriangleAlert} size={14} />
              <Text size="xs">{words.silent(key.name, silence(key))}</Text>
            </Group>
          ))}
      </Stack>
    </div>
  );
}

/** Whole days since the key was used, or made. */
function silence({ last_used_at: used, created_at: created }: Key): number {
  return Math.floor((Date.now() - new Date(used ?? created).getTime()) / dayMs);
}

function KeyName({ apiKey }: { readonly apiKey: Key }) {
  const { name, ending, mode, created_by: by, created_at: at } = apiKey;
  const { texts } = useTexts();
  const { person } = useMe();
  return (
    <>
      <Text fw={500} lh="18px">
        {name}
      </Text>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        <span className="p-mono">
          pk_{mode === 'test' && 'test_'}…{ending}
        </span>
        , {by === person.name ? texts.settings.keys.you : by}, <TimeAgo at={at} />
      </Text>
    </>
  );
}

/** The name of the preset or the scopes, with the whole in words where the pointer rests, and a narrow reach. */
function Rights({ apiKey }: { readonly apiKey: Key }) {
  const { scopes, workspaces, allowed_networks: networks } = apiKey;
  const words = useScopeWords();
  const preset = findPreset(scopes);
  return (
    <div title={scopes.map((scope) => words.scopes[scope]).join('\n')}>
      <Text
        size="xs"
        lineClamp={workspaces === 'own' ? 1 : 2}
        {...(preset === 'chosen' && { className: 'p-mono' })}
      >
        {preset === 'chosen' ? scopes.join(', ') : preset === 'all' ? words.every : words.presets.usual}
      </Text>
      {workspaces === 'own' && (
        <Text size="xs" c="dimmed">
          {words.own}
        </Text>
      )}
      {networks.length > 0 && (
        <Text size="xs" c="dimmed" lineClamp={1} title={networks.join('\n')}>
          {words.from(networks)}
        </Text>
      )}
    </div>
  );
}

/** When each scope of the key was last used, so that one can see which it does without. */
function ScopeUses({ apiKey: { scopes, scopes_used: used } }: { readonly apiKey: Key }) {
  const words = useScopeWords();
  return (
    <Stack gap={6}>
      {scopes.map((scope) => (
        <Group key={scope} justify="space-between" wrap="nowrap" align="baseline">
          <Text size="xs">{words.scopes[scope]}</Text>
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            <TimeAgo at={used.find((use) => use.scope === scope)?.at ?? null} />
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

function LastUsed({ apiKey }: { readonly apiKey: Key }) {
  const words = useScopeWords();
  const isSilent = silence(apiKey) >= silentDays;
  const isUsed = apiKey.last_used_at !== null;
  return (
    <Popover position="bottom-start" width={340} withinPortal>
      <Popover.Target>
        <UnstyledButton
          className="p-used"
          title={words.usedBy(apiKey.name)}
          style={isSilent ? { color: 'var(--p-amber)' } : {}}
        >
          {(isUsed || isSilent) && (
            <span className="p-dot" data-tone={isSilent ? 'amber' : 'green'} aria-hidden="true" />
          )}
          <TimeAgo at={apiKey.last_used_at} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <ScopeUses apiKey={apiKey} />
      </Popover.Dropdown>
    </Popover>
  );
}

function countOutcomes({ days }: Key) {
  const sum = (outcome: 'answered' | 'low' | 'errors' | 'limited') =>
    days.reduce((total, day) => total + day[outcome], 0);
  return { good: sum('answered'), low: sum('low'), errors: sum('errors'), limited: sum('limited') };
}

type Words = ReturnType<typeof useTexts>['texts']['settings']['keys'];

/** Counts that are zero are left out. */
function describe(counts: ReturnType<typeof countOutcomes>, words: Words): readonly string[] {
  const told = [
    counts.good > 0 && words.good(counts.good),
    counts.low > 0 && words.low(counts.low),
    counts.errors > 0 && words.errors(counts.errors),
    counts.limited > 0 && words.limited(counts.limited),
  ].filter((text) => text !== false);
  return told.length === 0 ? [words.none] : told;
}

function Outcomes({ apiKey }: { readonly apiKey: Key }) {
  const { texts } = useTexts();
  const words = texts.settings.keys;
  const counts = countOutcomes(apiKey);
  const well = describe({ ...counts, errors: 0, limited: 0 }, words);
  const ill = describe({ good: 0, low: 0, errors: counts.errors, limited: counts.limited }, words);
  const hasIll = counts.errors + counts.limited > 0;
  const hasWell = counts.good + counts.low > 0;
  return (
    <Text size="xs" c="var(--p-text-2)" style={{ whiteSpace: 'nowrap' }}>
      {(hasWell || !hasIll) && well.join(', ')}
      {hasWell && hasIll && ', '}
      {hasIll && <span style={{ color: 'var(--p-amber)' }}>{ill.join(', ')}</span>}
    </Text>
  );
}

interface ActionsProps extends Omit<KeyTableProps, 'keys'> {
  readonly apiKey: Key;
}

function Actions({ apiKey, onRotate, onEdit, onRevoke }: ActionsProps) {
  const { texts } = useTexts();
  const words = texts.settings;
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon of={RefreshCw} size={14} />}
        aria-label={words.rotate.title(apiKey.name)}
        onClick={() => onRotate(apiKey)}
      >
        {words.rotate.action}
      </Button>
      <Menu position="bottom-end" width={180}>
        <Menu.Target>
          <ActionIcon size="xs" aria-label={words.more(apiKey.name)}>
            <Icon of={Ellipsis} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon of={Pencil} size={14} />} onClick={() => onEdit(apiKey)}>
            {words.edit}
          </Menu.Item>
          <Menu.Item
            c="var(--p-red)"
            leftSection={<Icon of={Trash2} size={14} />}
            onClick={() => onRevoke(apiKey)}
          >
            {words.keys.revoke}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
