import { Button, Group, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { toProblem } from '../../api/problem.ts';
import { useMe } from '../../api/queries/me.ts';
import { useChangeWorkspace, type Workspace, workspaceQuery } from '../../api/queries/settings.ts';
import { useMay, useWorkspaceId } from '../../api/queries/workspace.ts';
import { Plus, X } from '../../icons.ts';
import { createDrafts, useKeptDraft } from '../../parts/drafts.ts';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/page/section.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useSettingsSchema } from './use-settings-schema.ts';

type Hours = NonNullable<Workspace['settings']['support_hours']>;

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
type Day = (typeof days)[number];

/** Null: no hours are set. */
const drafts = createDrafts<Hours | null>();

const workday = [{ from: '09:00', to: '17:00' }];

/** The hours in which people answer: a week with one row a day. */
export function SupportHours() {
  const { texts } = useTexts();
  const id = useWorkspaceId();
  const { data: workspace } = useQuery(workspaceQuery(id));
  const { data: schema } = useSettingsSchema(id);
  const property = schema?.properties?.support_hours ?? {};
  if (workspace === undefined) return null;
  return (
    <Section
      title={property.title ?? texts.settings.names.hours}
      text={[property.description, property['x-effect']].filter((text) => text !== undefined).join(' ')}
    >
      <HoursForm key={JSON.stringify(workspace.settings.support_hours)} workspace={workspace} />
    </Section>
  );
}

function HoursForm({ workspace }: { readonly workspace: Workspace }) {
  const { texts } = useTexts();
  const words = texts.settings.hours;
  const may = useMay('workspace:write');
  const { person } = useMe();
  const change = useChangeWorkspace(workspace.id);
  const stored = workspace.settings.support_hours ?? null;
  const place = `${workspace.id}/settings/hours/support_hours`;
  const {
    draft: hours,
    setDraft: setHours,
    isUnsaved,
    save,
    discard,
  } = useKeptDraft({ drafts, place, stored });
  const begin = () =>
    setHours({
      time_zone: person.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...Object.fromEntries(days.slice(0, 5).map((day) => [day, workday])),
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(() => change.mutateAsync({ settings: { support_hours: hours } }));
  };
  return (
    <form onSubmit={submit} data-field="support_hours">
      <Stack gap="lg">
        {hours === null ? (
          <Text>{words.always}</Text>
        ) : (
          <>
            <TextInput
              label={words.zone}
              description={words.zoneHint}
              maw={320}
              required
              withAsterisk={false}
              disabled={!may}
              value={hours.time_zone}
              onChange={(event) => setHours({ ...hours, time_zone: event.currentTarget.value })}
            />
            <div>
              {days.map((day) => (
                <DayRow
                  key={day}
                  day={day}
                  openings={hours[day] ?? []}
                  disabled={!may}
                  onOpenings={(openings) => setHours({ ...hours, [day]: openings })}
                />
              ))}
            </div>
          </>
        )}
        {change.error !== null && <FaultLine>{toProblem(change.error).message}</FaultLine>}
        {may && (
          <Group gap="sm">
            <Button type="submit" loading={change.isPending} disabled={!isUnsaved}>
              {texts.parts.save}
            </Button>
            {hours === null ? (
              <Button variant="default" onClick={begin}>
                {words.set}
              </Button>
            ) : (
              <Button variant="subtle" color="gray" onClick={() => setHours(null)}>
                {words.clear}
              </Button>
            )}
            {isUnsaved && !change.isPending && <Unsaved onDiscard={discard} />}
          </Group>
        )}
      </Stack>
    </form>
  );
}

type Openings = NonNullable<Hours[Day]>;

interface DayRowProps {
  readonly day: Day;
  readonly openings: Openings;
  readonly disabled: boolean;
  readonly onOpenings: (openings: Openings) => void;
}

function DayRow({ day, openings, disabled, onOpenings }: DayRowProps) {
  const { texts } = useTexts();
  const words = texts.settings.hours;
  const name = words.days[day];
  const replace = (position: number, change: Partial<Openings[number]>) =>
    onOpenings(openings.map((each, at) => (at === position ? { ...each, ...change } : each)));
  const add = () => onOpenings([...openings, { from: openings.at(-1)?.to ?? '09:00', to: '17:00' }]);
  return (
    <div className="p-hours-row">
      <span className="p-hours-day">{name}</span>
      <Group gap="sm">
        {openings.length === 0 && (
          <Text c="dimmed" lh="32px">
            {words.closed}
          </Text>
        )}
        {openings.map(({ from, to }, position) => (
          <Group
            // biome-ignore lint/suspicious/noArrayIndexKey: openings have no name besides their position
            key={position}
            gap={6}
            wrap="nowrap"
          >
            <TextInput
              type="time"
              aria-label={words.opens(name)}
              w={104}
              disabled={disabled}
              value={from}
              onChange={(event) => replace(position, { from: event.currentTarget.value })}
            />
            <span aria-hidden="true">–</span>
            <TextInput
              type="time"
              aria-label={words.closes(name)}
              w={104}
              disabled={disabled}
              value={to === '24:00' ? '23:59' : to}
              onChange={(event) => replace(position, { to: event.currentTarget.value })}
            />
            {!disabled && (
              <Button
                variant="subtle"
                color="gray"
                px={8}
                aria-label={words.remove(name)}
                onClick={() => onOpenings(openings.filter((_, at) => at !== position))}
              >
                <Icon of={X} size={14} />
              </Button>
            )}
          </Group>
        ))}
        {!disabled && (
          <Button variant="subtle" color="gray" px={8} onClick={add}>
            <Icon of={Plus} size={14} />
            <VisuallyHidden>{words.add(name)}</VisuallyHidden>
          </Button>
        )}
      </Group>
    </div>
  );
}
