import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { probabilitiesQuery, useChangeWorkspace, workspaceQuery } from '../../../api/queries/settings.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { createDrafts, useKeptDraft } from '../../../parts/drafts.ts';
import { Section } from '../../../parts/page/section.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { Unsaved } from '../../../parts/unsaved.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { TrySettings } from '../../knowledge/changes/stage-button.tsx';
import { useSettingsSchema } from '../use-settings-schema.ts';
import { type TierLimits, type TierShares, tierShares } from './tier-shares.ts';

/** From which probability on what was found is shown, with the share of last month's answers that this concerns. */
export function TierLimitsSection() {
  const { texts } = useTexts();
  const words = texts.settings.tiers;
  const id = useWorkspaceId();
  const { data: workspace } = useQuery(workspaceQuery(id));
  const { data: schema } = useSettingsSchema(id);
  const { data: counted } = useQuery(probabilitiesQuery(id));
  const change = useChangeWorkspace(id);
  const usual = {
    answer: Number(schema?.properties?.answer_from?.default),
    maybe: Number(schema?.properties?.maybe_from?.default),
  };
  if (workspace === undefined || Number.isNaN(usual.answer)) return null;
  const { answer_from: answer = usual.answer, maybe_from: maybe = Math.min(usual.maybe, answer) } =
    workspace.settings;
  return (
    <Section title={words.title} text={words.text}>
      <LimitsForm
        key={`${answer} ${maybe}`}
        stored={{ answer, maybe }}
        bins={counted?.bins}
        change={change}
      />
    </Section>
  );
}

interface LimitsFormProps {
  readonly stored: TierLimits;
  /** Absent while they are loaded. */
  readonly bins: readonly number[] | undefined;
  /** Outlives the form, which begins anew with what was saved. */
  readonly change: ReturnType<typeof useChangeWorkspace>;
}

/** The limits in per cent, as people read them. */
const ranges = { answer: { min: 20, max: 90 }, maybe: { min: 5 } } as const;
const step = 5;

/** The limits in per cent. */
const drafts = createDrafts<TierLimits>();

function LimitsForm({ stored, bins, change }: LimitsFormProps) {
  const { texts } = useTexts();
  const words = texts.settings.tiers;
  const id = useWorkspaceId();
  const may = useMay('workspace:write');
  const { draft, setDraft, isUnsaved, save, discard } = useKeptDraft({
    drafts,
    place: `${id}/settings/answers/tiers`,
    stored: { answer: toPercent(stored.answer), maybe: toPercent(stored.maybe) },
  });
  const { answer, maybe } = draft;
  const limits = { answer: answer / 100, maybe: maybe / 100 };
  const isInOrder = maybe <= answer;
  const shares = bins === undefined ? null : tierShares(bins, limits);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const settings = { answer_from: limits.answer, maybe_from: limits.maybe };
    save(() => change.mutateAsync({ settings }));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Group align="flex-end" gap="lg" data-field="answer_from">
          <NumberInput
            label={words.answer}
            suffix=" %"
            w={220}
            {...{ ...ranges.answer, step }}
            disabled={!may}
            value={answer}
            onChange={(next) => setDraft({ ...draft, answer: Number(next) })}
          />
          <Share of={shares?.answer} tier="answer" />
        </Group>
        <Group align="flex-end" gap="lg" data-field="maybe_from">
          <NumberInput
            label={words.maybe}
            suffix=" %"
            w={220}
            {...{ ...ranges.maybe, step }}
            max={answer}
            disabled={!may}
            error={isInOrder ? undefined : words.order}
            value={maybe}
            onChange={(next) => setDraft({ ...draft, maybe: Number(next) })}
          />
          <Share of={shares?.maybe} tier="maybe" />
        </Group>
        <Group gap="lg">
          <Text w={220}>{words.none}</Text>
          <Share of={shares?.none} tier="none" />
        </Group>
        {shares !== null && (
          <div className="p-tiers" aria-hidden="true">
            {(['answer', 'maybe', 'none'] as const).map((tier) => (
              <span key={tier} data-tier={tier} style={{ flexGrow: shares[tier] }} />
            ))}
          </div>
        )}
        <Text c="dimmed" fz={12}>
          {shares === null && bins !== undefined ? words.empty : words.counted}
        </Text>
        {change.error !== null && <FaultLine>{toProblem(change.error).message}</FaultLine>}
        {may && (
          <Group gap="md">
            <Button type="submit" loading={change.isPending} disabled={!isUnsaved || !isInOrder}>
              {texts.parts.save}
            </Button>
            {isUnsaved && isInOrder && (
              <TrySettings
                workspace={id}
                changes={{
                  ...(limits.answer !== stored.answer && { answer_from: limits.answer }),
                  ...(limits.maybe !== stored.maybe && { maybe_from: limits.maybe }),
                }}
              />
            )}
            {isUnsaved && !change.isPending && <Unsaved onDiscard={discard} />}
            <div role="status">
              {change.isSuccess && !isUnsaved && <Text c="var(--p-green)">{texts.settings.saved}</Text>}
            </div>
          </Group>
        )}
      </Stack>
    </form>
  );
}

interface ShareProps {
  /** Absent if nothing was counted. */
  readonly of: number | undefined;
  readonly tier: keyof TierShares;
}

function Share({ of, tier }: ShareProps) {
  const { texts } = useTexts();
  return (
    <Text className="p-tier-share" data-tier={tier} role="status">
      {of === undefined ? '–' : texts.settings.tiers.share(Math.round(of * 100))}
    </Text>
  );
}

function toPercent(probability: number): number {
  return Math.round(probability * 100);
}
