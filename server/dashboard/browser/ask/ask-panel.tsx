import { ActionIcon, Badge, Drawer, Group, Select, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { toProblem } from '../api/problem.ts';
import { ArrowUp } from '../icons.ts';
import { Icon } from '../parts/icon.tsx';
import { FaultLine } from '../parts/states/fault-line.tsx';
import { useTexts } from '../texts/texts.tsx';
import { AskedAnswer } from './asked-answer.tsx';
import { type Asked, choicesQuery, useRehearsal } from './evaluation-queries.ts';
import { closeAsk } from './open-ask.ts';
import { useChannelWords } from './rendered-answer.tsx';
import './ask.css';

interface AskPanelProps {
  readonly workspace: string;
  /** The question to ask at once; empty for none. */
  readonly first: string;
}

const visitor = '';
const own = '';

/** Asks a question as a visitor would, and shows why the answer is as it is. Nothing of it counts or fires. */
export function AskPanel({ workspace, first }: AskPanelProps) {
  const { texts } = useTexts();
  const words = texts.evaluation.ask;
  const [query, setQuery] = useState(first);
  const [audience, setAudience] = useState(visitor);
  const [language, setLanguage] = useState(own);
  const [model, setModel] = useState(own);
  const [channel, setChannel] = useState(own);
  const channelWords = useChannelWords();
  const choices = useQuery(choicesQuery(workspace)).data;
  const rehearsal = useRehearsal(workspace);
  const { mutate, variables, data } = rehearsal;
  const ask = useCallback(
    (question: string, more: Omit<Asked, 'query'>) => {
      if (question.trim() !== '') mutate({ query: question.trim(), ...more });
    },
    [mutate],
  );
  const asFor = () => ({
    audience: audience === visitor ? [] : [audience],
    language: language === own ? null : language,
    model: model === own ? null : model,
    channel: choices?.channels.find(({ id }) => id === channel) ?? null,
  });
  const isAsked = useRef(false);
  useEffect(() => {
    // Once: strict effects run twice.
    if (isAsked.current || first === '') return;
    isAsked.current = true;
    ask(first, { audience: [], language: null, model: null });
  }, [ask, first]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp' && query === '' && variables !== undefined) {
      event.preventDefault();
      setQuery(variables.query);
    }
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    ask(query, asFor());
  };
  return (
    <Drawer
      opened
      onClose={closeAsk}
      position="right"
      size={440}
      className="p-drawer p-ask"
      title={
        <Group gap="sm" wrap="nowrap">
          {words.title}
          <Badge variant="default" tt="none" fw={500}>
            {words.dryRun}
          </Badge>
        </Group>
      }
      attributes={{ header: { role: 'presentation' } }}
      overlayProps={{ backgroundOpacity: 0.2 }}
      closeButtonProps={{ 'aria-label': texts.frame.close }}
    >
      <div className="p-ask-as">
        <Select
          aria-label={words.audience}
          value={audience}
          onChange={(value) => setAudience(value ?? visitor)}
          data={[
            { value: visitor, label: words.everybody },
            ...(choices?.audiences ?? []).map((tag) => ({ value: tag, label: tag })),
          ]}
          allowDeselect={false}
          comboboxProps={{ withinPortal: true }}
        />
        <Select
          aria-label={words.language}
          value={language}
          onChange={(value) => setLanguage(value ?? own)}
          data={[{ value: own, label: words.detected }, ...words.languages]}
          allowDeselect={false}
        />
        {choices !== undefined && choices.models.length > 0 && (
          <Select
            aria-label={words.model}
            value={model}
            onChange={(value) => setModel(value ?? own)}
            data={[
              { value: own, label: words.ownModel },
              ...choices.models.map((name) => ({
                value: name,
                label: name === 'none' ? words.noModel : name,
              })),
            ]}
            allowDeselect={false}
          />
        )}
        {choices !== undefined && choices.channels.length > 0 && (
          <Select
            aria-label={channelWords.channel}
            value={channel}
            onChange={(value) => setChannel(value ?? own)}
            data={[
              { value: own, label: channelWords.none },
              ...choices.channels.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            allowDeselect={false}
          />
        )}
      </div>
      <Textarea
        aria-label={words.question}
        placeholder={words.placeholder}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4_000}
        value={query}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        onKeyDown={onKeyDown}
        data-autofocus
        rightSectionWidth={44}
        rightSection={
          <ActionIcon
            variant="default"
            aria-label={words.send}
            loading={rehearsal.isPending}
            onClick={() => ask(query, asFor())}
          >
            <Icon of={ArrowUp} />
          </ActionIcon>
        }
      />
      {rehearsal.isError && <FaultLine>{toProblem(rehearsal.error).message}</FaultLine>}
      {data === undefined || variables === undefined ? (
        !rehearsal.isPending &&
        !rehearsal.isError && (
          <Text size="sm" c="var(--p-text-2)" mt="md">
            {words.hint}
          </Text>
        )
      ) : (
        // Another answer begins without a verdict.
        <AskedAnswer key={rehearsal.submittedAt} workspace={workspace} asked={variables} given={data} />
      )}
    </Drawer>
  );
}
