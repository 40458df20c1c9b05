import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { toProblem } from '../../../../api/problem.ts';
import {
  choicesQuery,
  type NewTestQuestion,
  type TestQuestion,
  useStoreQuestions,
} from '../../../../ask/evaluation-queries.ts';
import { Plus } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { FaultLine } from '../../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { type Channel, channelChoices } from './channels.ts';
import { useScriptWords } from './script-words.ts';
import { type EditedTurn, TurnFields } from './turn-fields.tsx';

interface ScriptEditorProps {
  readonly workspace: string;
  /** Null: a new one. */
  readonly script: TestQuestion | null;
  readonly onClose: () => void;
}

const MAX_TURNS = 20;
/** The choice of everybody, and of the language of the messages. */
const NONE = '';

const emptyTurn = { message: '', document_id: null, phrase: null, refuse: false, person: false, tier: null };

/** Writes a scripted customer, or changes one. */
export function ScriptEditor({ workspace, script, onClose }: ScriptEditorProps) {
  const { texts } = useTexts();
  const words = useScriptWords().editor;
  const { ask } = texts.evaluation;
  const { data: choices } = useQuery(choicesQuery(workspace));
  const store = useStoreQuestions(workspace);
  const [goal, setGoal] = useState(script?.question ?? '');
  const channels = channelChoices(texts.channels.kinds);
  const [channel, setChannel] = useState<Channel>(
    channels.find(({ value }) => value === script?.channel)?.value ?? 'api',
  );
  const [language, setLanguage] = useState(script?.language ?? NONE);
  const [audience, setAudience] = useState(script?.audience[0] ?? NONE);
  const [nextKey, setNextKey] = useState(script?.turns.length ?? 1);
  const [turns, setTurns] = useState<readonly EditedTurn[]>(() =>
    (script?.turns ?? [emptyTurn]).map((turn, key) => ({ ...turn, key })),
  );
  const [isTold, setTold] = useState(false);
  const section = useRef<HTMLElement>(null);
  // It opens above the list, maybe out of sight of the script that is changed.
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'start' });
    section.current?.querySelector<HTMLElement>('input:enabled, textarea')?.focus({ preventScroll: true });
  }, []);
  const isComplete =
    goal.trim() !== '' && turns.every(({ message }) => message.trim() !== '') && turns.some(isExpecting);
  const save = () => {
    setTold(!isComplete);
    if (!isComplete) return;
    const sent: NewTestQuestion = {
      ...{ question: goal, channel, language: language === NONE ? null : language },
      audience: script === null ? (audience === NONE ? [] : [audience]) : [...script.audience],
      origin: script?.origin ?? 'hand',
      turns: turns.map(({ key: _, ...turn }) => ({ ...turn, phrase: turn.phrase?.trim() || null })),
    };
    store.mutate([sent], { onSuccess: onClose });
  };
  return (
    <section ref={section} aria-label={words.title} className="p-proposals">
      <header>
        <div>
          <h2>{words.title}</h2>
          <Text size="xs" c="var(--p-text-2)">
            {words.hint}
          </Text>
        </div>
      </header>
      <TextInput
        label={words.goal}
        description={script === null ? words.goalHint : words.goalFixed}
        maxLength={4_000}
        disabled={script !== null}
        value={goal}
        onChange={({ currentTarget }) => setGoal(currentTarget.value)}
      />
      <Group gap="sm" align="end">
        <Select
          label={words.channel}
          data={channels}
          value={channel}
          allowDeselect={false}
          onChange={(value) => setChannel(channels.find((each) => each.value === value)?.value ?? channel)}
        />
        <Select
          label={words.language}
          data={[{ value: NONE, label: ask.detected }, ...ask.languages]}
          value={language}
          allowDeselect={false}
          onChange={(value) => setLanguage(value ?? NONE)}
        />
        {script === null && (
          <Select
            label={words.audience}
            data={[
              { value: NONE, label: ask.everybody },
              ...(choices?.audiences ?? []).map((value) => ({ value, label: value })),
            ]}
            value={audience}
            allowDeselect={false}
            onChange={(value) => setAudience(value ?? NONE)}
          />
        )}
      </Group>
      {turns.map((turn, index) => (
        <TurnFields
          key={turn.key}
          {...{ workspace, turn, position: index + 1 }}
          onChange={(changed) =>
            setTurns(turns.map((each) => (each.key === turn.key ? { ...each, ...changed } : each)))
          }
          {...(turns.length > 1 && {
            onRemove: () => setTurns(turns.filter(({ key }) => key !== turn.key)),
          })}
        />
      ))}
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<Icon of={Plus} size={14} />}
          disabled={turns.length >= MAX_TURNS}
          onClick={() => {
            setTurns([...turns, { ...emptyTurn, key: nextKey }]);
            setNextKey(nextKey + 1);
          }}
        >
          {words.add}
        </Button>
        <Button loading={store.isPending} onClick={save}>
          {words.save}
        </Button>
        <Button variant="subtle" onClick={onClose}>
          {words.cancel}
        </Button>
      </Group>
      {isTold && !isComplete && <FaultLine>{words.missing}</FaultLine>}
      {store.isError && <FaultLine>{toProblem(store.error).message}</FaultLine>}
    </section>
  );
}

function isExpecting({ document_id, phrase, refuse, person, tier }: EditedTurn): boolean {
  return document_id !== null || (phrase ?? '').trim() !== '' || refuse || person || tier !== null;
}
