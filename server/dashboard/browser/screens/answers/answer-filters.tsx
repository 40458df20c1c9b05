import { Button, Group, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type Ref, useEffect, useState } from 'react';
import {
  Bot,
  Cable,
  ChartNoAxesColumn,
  CheckCheck,
  Clock,
  ListFilter,
  Search,
  ThumbsUp,
} from '../../icons.ts';
import { Chip } from '../../parts/filter-chip.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useTexts } from '../../texts/texts.tsx';
import type { AnswerFilters as Filters } from './answer-queries.ts';
import { useAnswerWords } from './answer-words.ts';

const confidences = ['high', 'medium', 'low'] as const;
const acts = ['quote', 'suggest', 'generate', 'reply', 'choose skills', 'fall back'] as const;
const opinions = ['up', 'down', 'none'] as const;
const reviews = ['right', 'wrong', 'not_ours', 'any', 'none'] as const;
const ranges = { day: 1, week: 7, month: 30 } as const;
const rangeNames = ['day', 'week', 'month'] as const;

const dayMs = 24 * 3_600_000;
/** A range that moves with the clock in steps: otherwise every drawing would ask anew. */
const stepMs = 60_000;

/** Reads the filters of the log from the address. A value that nobody can choose there counts as not given. */
export function readFilters(values: Readonly<Record<string, string>>, now: number): Filters {
  const confidence = confidences.find((each) => each === values.confidence);
  const act = acts.find((each) => each === values.act);
  const feedback = opinions.find((each) => each === values.feedback);
  const reviewed = reviews.find((each) => each === values.reviewed);
  const range = rangeNames.find((each) => each === values.range);
  const since = range && new Date(Math.floor(now / stepMs) * stepMs - ranges[range] * dayMs).toISOString();
  return {
    ...(confidence && { confidence }),
    ...(act && { act }),
    ...(values.channel && { channel: values.channel }),
    ...(feedback && { feedback }),
    ...(reviewed && { reviewed }),
    ...(since && { since }),
    ...(values.q && { q: values.q }),
    ...(values.review === 'true' && { to_review: 'true' as const }),
  };
}

interface AnswerFiltersProps {
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (change: Readonly<Record<string, string>>) => void;
  readonly fieldRef: Ref<HTMLInputElement>;
}

/** The search and the filters of the log as chips. Each choice stands in the address. */
export function AnswerFilters({ values, onChange, fieldRef }: AnswerFiltersProps) {
  const { texts } = useTexts();
  const words = useAnswerWords();
  const [typed, setTyped] = useState(values.q ?? '');
  useEffect(() => setTyped(values.q ?? ''), [values.q]);
  const search = useDebouncedCallback((q: string) => onChange({ q }), 200);
  const names = words.filters;
  const isReview = values.review === 'true';
  return (
    <Group className="p-filters" gap="sm">
      <TextInput
        ref={fieldRef}
        className="p-filter-search"
        size="xs"
        type="search"
        leftSection={<Icon of={Search} size={14} />}
        placeholder={words.searchHint}
        aria-label={words.search}
        maxLength={200}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          search(value.trim());
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') currentTarget.blur();
        }}
      />
      <Tooltip label={words.toReviewHint} multiline maw={280}>
        <Button
          variant="default"
          size="xs"
          className="p-filter-chip"
          aria-pressed={isReview}
          data-on={isReview || undefined}
          leftSection={<Icon of={ListFilter} size={14} />}
          onClick={() => onChange({ review: isReview ? '' : 'true' })}
        >
          {words.toReview}
        </Button>
      </Tooltip>
      <Chip
        icon={ChartNoAxesColumn}
        name={names.confidence}
        value={values.confidence}
        options={confidences.map((value) => ({ value, label: texts.parts.confidence[value] }))}
        onChoose={(confidence) => onChange({ confidence })}
      />
      <Chip
        icon={Bot}
        name={names.act}
        value={values.act}
        options={acts.map((value) => ({ value, label: words.acts[value] }))}
        onChoose={(act) => onChange({ act })}
      />
      <Chip
        icon={Cable}
        name={names.channel}
        value={values.channel}
        options={Object.entries(texts.channels.kinds).map(([value, label]) => ({ value, label }))}
        onChoose={(channel) => onChange({ channel })}
      />
      <Chip
        icon={ThumbsUp}
        name={names.feedback}
        value={values.feedback}
        options={opinions.map((value) => ({ value, label: words.feedback[value] }))}
        onChoose={(feedback) => onChange({ feedback })}
      />
      <Chip
        icon={CheckCheck}
        name={names.reviewed}
        value={values.reviewed}
        options={reviews.map((value) => ({
          value,
          label: { ...words.verdicts, ...words.reviewedAs }[value],
        }))}
        onChoose={(reviewed) => onChange({ reviewed })}
      />
      <Chip
        icon={Clock}
        name={names.range}
        value={values.range}
        options={rangeNames.map((value) => ({ value, label: words.ranges[value] }))}
        onChoose={(range) => onChange({ range })}
      />
    </Group>
  );
}
