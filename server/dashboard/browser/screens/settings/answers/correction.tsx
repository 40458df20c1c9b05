import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { components } from '../../../api/api-types.ts';
import { toProblem } from '../../../api/problem.ts';
import { correctionQuery, useChangeCorrection } from '../../../api/queries/settings.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { DataTable } from '../../../parts/data-table.tsx';
import { Section } from '../../../parts/page/section.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';

type Correction = components['schemas']['AnswerCorrection'];
type Offer = NonNullable<Correction['offer']>;

/** The correction of how sure answers are that is in use, and the one that is offered. Absent without either. */
export function CorrectionSection() {
  const { texts } = useTexts();
  const words = texts.settings.correction;
  const id = useWorkspaceId();
  const { data } = useQuery(correctionQuery(id));
  const change = useChangeCorrection(id);
  const may = useMay('workspace:write');
  if (data === undefined || (data.in_use === null && data.offer === null)) return null;
  const { in_use: inUse, offer } = data;
  const acting = change.isPending ? change.variables.act : null;
  return (
    <Section title={words.title} text={words.explained}>
      {inUse !== null && (
        <Group justify="space-between" gap="md">
          <InUse inUse={inUse} />
          {may && (
            <Button
              variant="default"
              loading={acting === 'remove'}
              disabled={change.isPending}
              onClick={() => change.mutate({ act: 'remove' })}
            >
              {words.remove}
            </Button>
          )}
        </Group>
      )}
      {offer !== null && (
        <Stack gap="lg">
          <OfferedCorrection offer={offer} />
          {may && (
            <Group gap="md">
              <Button
                loading={acting === 'use'}
                disabled={change.isPending}
                onClick={() => change.mutate({ act: 'use', offeredAt: offer.offered_at })}
              >
                {words.use}
              </Button>
              <Button
                variant="default"
                loading={acting === 'decline'}
                disabled={change.isPending}
                onClick={() => change.mutate({ act: 'decline', offeredAt: offer.offered_at })}
              >
                {words.decline}
              </Button>
            </Group>
          )}
        </Stack>
      )}
      {change.error !== null && <FaultLine>{toProblem(change.error).message}</FaultLine>}
    </Section>
  );
}

function InUse({ inUse }: { readonly inUse: NonNullable<Correction['in_use']> }) {
  const { texts, locale } = useTexts();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
  return (
    <Text role="status" flex="1 1 240px">
      {texts.settings.correction.inUse(date.format(new Date(inUse.since)), inUse.judged)}
    </Text>
  );
}

function OfferedCorrection({ offer }: { readonly offer: Offer }) {
  const { texts, language } = useTexts();
  const words = texts.settings.correction;
  const number = new Intl.NumberFormat(language);
  const percent = (value: number | null) => (value === null ? '–' : words.percent(toPercent(value)));
  const moved = offer.moves.reduce((sum, { answers }) => sum + answers, 0);
  return (
    <>
      <Text>{words.offer(offer.judged, toPercent(offer.before), toPercent(offer.helped))}</Text>
      <DataTable
        label={words.table}
        minWidth={300}
        rowHeight={36}
        rows={offer.bins}
        rowKey={({ from }) => String(from)}
        columns={[
          {
            key: 'range',
            title: words.range,
            cell: ({ from, to }) => words.percents(toPercent(from), toPercent(to)),
          },
          {
            key: 'answers',
            title: words.answers,
            align: 'end',
            cell: ({ answers }) => number.format(answers),
          },
          { key: 'before', title: words.before, align: 'end', cell: ({ before }) => percent(before) },
          {
            key: 'after',
            title: words.after,
            align: 'end',
            hint: words.afterHint,
            cell: ({ after }) => percent(after),
          },
          { key: 'helped', title: words.helped, align: 'end', cell: ({ helped }) => percent(helped) },
        ]}
      />
      <div>
        <Text>{words.moves(moved, offer.answers)}</Text>
        {offer.moves.map(({ from, to, answers }) => (
          <Text key={`${from} ${to}`} c="dimmed">
            {words.move(answers, from, to)}
          </Text>
        ))}
      </div>
    </>
  );
}

function toPercent(share: number): number {
  return Math.round(share * 100);
}
