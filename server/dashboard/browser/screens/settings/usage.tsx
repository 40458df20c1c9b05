import { Button, Group, NativeSelect, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, Fragment, useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { useMe } from '../../api/queries/me.ts';
import { type Plan, usageQuery, useChangeWorkspace } from '../../api/queries/settings.ts';
import { useMay, useWorkspaceId } from '../../api/queries/workspace.ts';
import { Section } from '../../parts/page/section.tsx';
import { Page } from '../../parts/page.tsx';
import { labelOf } from '../../parts/schema-form/json-schema.ts';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { NoRight } from '../../parts/states/no-right.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** The public agent is not a kind of channel. */
const channelNames: Readonly<Record<string, string>> = { mcp: 'MCP', nlweb: 'NLWeb' };

const plans: readonly Plan[] = ['free', 'starter', 'growth', 'business', 'enterprise'];

/** The month's messages against the quota, where they came from, and the plan. */
export function UsagePage() {
  const { texts } = useTexts();
  const words = texts.settings;
  const id = useWorkspaceId();
  const may = useMay('usage:read');
  const query = useQuery({ ...usageQuery(id), enabled: may });
  return (
    <Page title={words.names.usage} intro={words.about.usage} width="narrow">
      {!may && <NoRight detail={words.usage.right} />}
      {may && query.isPending && <Skeletons rows={3} height={96} />}
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && (
        <>
          <Month usage={query.data} />
          <Answers usage={query.data} />
          <PlanSection plan={query.data.plan} />
        </>
      )}
    </Page>
  );
}

type Usage = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof usageQuery>['queryFn']>>>>;

function Month({ usage: { messages, quota, forecast, resets_at: resets } }: { readonly usage: Usage }) {
  const { texts, language, locale } = useTexts();
  const words = texts.settings.usage;
  const number = new Intl.NumberFormat(language);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const share = quota === null ? 0 : Math.min(100, (messages / quota) * 100);
  const isOver = quota !== null && forecast !== null && forecast > quota;
  const limit = quota === null ? words.unlimited : number.format(quota);
  const colour = share >= 100 ? 'var(--p-red-dot)' : 'var(--p-amber-dot)';
  return (
    <Section title={words.messages} text={words.shared}>
      <Group gap={32} align="flex-start">
        <div>
          <Text size="xs" c="dimmed">
            {words.used}
          </Text>
          <span className="p-big-number">{words.ofQuota(number.format(messages), limit)}</span>
        </div>
        <div>
          <Text size="xs" c="dimmed">
            {words.forecast}
          </Text>
          {forecast === null ? (
            <Text>{words.tooEarly}</Text>
          ) : (
            <span className="p-big-number">{words.forecastText(number.format(forecast))}</span>
          )}
        </div>
      </Group>
      {quota !== null && (
        <Progress.Root size={8} radius="xl" bg="var(--p-line)">
          <Progress.Section
            value={share}
            color={isOver || share >= 100 ? colour : 'var(--p-accent-mid)'}
            aria-label={words.messages}
          />
        </Progress.Root>
      )}
      <Stack gap={4}>
        {isOver && <Text c="var(--p-amber)">{words.over}</Text>}
        <Text c="dimmed">{words.resets(date.format(new Date(resets)))}</Text>
      </Stack>
    </Section>
  );
}

function Answers({ usage: { by_channel: channels, by_day: days, month } }: { readonly usage: Usage }) {
  const { texts, language } = useTexts();
  const words = texts.settings.usage;
  if (channels.length === 0) {
    return <Section title={words.byChannel} text={words.nothing} />;
  }
  const number = new Intl.NumberFormat(language);
  const kinds: Readonly<Record<string, string>> = texts.channels.kinds;
  const most = Math.max(...channels.map(({ answers }) => answers));
  return (
    <>
      <Section title={words.byChannel} text={words.counted}>
        <div className="p-bars">
          {channels.map(({ channel, answers }) => (
            <Fragment key={channel}>
              <span>{kinds[channel] ?? channelNames[channel] ?? labelOf(channel, {})}</span>
              <div className="p-bar" style={{ width: `${(answers / most) * 100}%` }} />
              <span className="p-numbers" style={{ textAlign: 'end' }}>
                {number.format(answers)}
              </span>
            </Fragment>
          ))}
        </div>
      </Section>
      <Section title={words.byDay}>
        <DayBars days={days} month={month} />
      </Section>
    </>
  );
}

const width = 620;
const height = 96;

function DayBars({ days, month }: { readonly days: Usage['by_day']; readonly month: string }) {
  const { texts, locale } = useTexts();
  const first = new Date(`${month}T00:00:00Z`);
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const answers = new Map(days.map((day) => [day.day, day.answers]));
  const most = Math.max(1, ...answers.values());
  const step = width / count;
  const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const bars = Array.from({ length: count }, (_, position) => {
    const at = new Date(first.getTime() + position * 24 * 3_600_000);
    return { at, value: answers.get(at.toISOString().slice(0, 10)) ?? 0 };
  });
  const words = texts.settings.usage;
  const told = bars
    .filter(({ value }) => value > 0)
    .map(({ at, value }) => `${date.format(at)}: ${words.answers(value)}`);
  const labelled = [bars[0], bars[Math.floor(count / 2)], bars[count - 1]];
  return (
    <div>
      <svg role="img" aria-label={told.join(', ')} width="100%" viewBox={`0 0 ${width} ${height}`}>
        <rect y={height - 1} width={width} height="1" fill="var(--p-line-strong)" />
        {bars.map(({ at, value }, position) => {
          const tall = value === 0 ? 0 : Math.max(2, (value / most) * (height - 4));
          return (
            <rect
              key={at.toISOString()}
              x={position * step + 2}
              y={height - tall}
              width={step - 4}
              height={tall}
              rx="2"
              fill="var(--p-accent-mid)"
            >
              <title>{`${date.format(at)}: ${words.answers(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <Group justify="space-between" fz={11} c="dimmed" aria-hidden="true">
        {labelled.map((bar) => bar && <span key={bar.at.toISOString()}>{date.format(bar.at)}</span>)}
      </Group>
    </div>
  );
}

function PlanSection({ plan }: { readonly plan: Plan }) {
  const { texts } = useTexts();
  const words = texts.settings.usage;
  const id = useWorkspaceId();
  const { person } = useMe();
  const may = useMay('workspace:write') && person.is_operator;
  const change = useChangeWorkspace(id);
  const [chosen, setChosen] = useState<Plan>(plan);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ plan: chosen });
  };
  const label = (name: Plan) => name.charAt(0).toUpperCase() + name.slice(1);
  return (
    <Section title={words.plan} text={may ? undefined : words.askOperator}>
      {may ? (
        <form onSubmit={submit}>
          <Stack gap="md">
            <Group align="flex-end" gap="sm">
              <NativeSelect
                label={words.plan}
                value={chosen}
                data={plans.map((name) => ({ value: name, label: label(name) }))}
                onChange={(event) =>
                  setChosen(plans.find((name) => name === event.currentTarget.value) ?? plan)
                }
              />
              <Button type="submit" variant="default" loading={change.isPending} disabled={chosen === plan}>
                {words.change}
              </Button>
            </Group>
            {change.error !== null && <FaultLine>{toProblem(change.error).message}</FaultLine>}
          </Stack>
        </form>
      ) : (
        <span className="p-big-number">{label(plan)}</span>
      )}
    </Section>
  );
}
