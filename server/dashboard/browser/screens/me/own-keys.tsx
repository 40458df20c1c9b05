import { Button, Group, Kbd, Text, Title } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useChangeMe, useMe } from '../../api/queries/me.ts';
import { keyCatalogue } from '../../keys/catalogue.ts';
import { keySigns, readKey } from '../../keys/registry.ts';
import { Section } from '../../parts/page/section.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useAnswerWords } from '../answers/answer-words.ts';
import { useChangeWords } from '../knowledge/changes/change-words.ts';
import { useCuratedWords } from '../knowledge/curated/curated-words.ts';
import { useProposalWords } from '../knowledge/evaluation/sampled/proposal-words.ts';
import { describeFault } from '../sign-in/describe-fault.ts';

/** All keys of the dashboard. Each can be changed or switched off; stored with the person. */
export function OwnKeys() {
  const { texts } = useTexts();
  const words = texts.me.ownKeys;
  const own = useMe().person.own_keys;
  const change = useChangeMe();
  const [fault, setFault] = useState<string | null>(null);
  const groups = keyCatalogue(texts, {
    answers: useAnswerWords(),
    changes: useChangeWords(),
    curated: useCuratedWords(),
    proposals: useProposalWords(),
  });
  const keysOf = (id: string, keys: string) => (own[id] === undefined ? keys : own[id]);
  const store = (id: string, keys: string | null | undefined) => {
    setFault(null);
    const rest = Object.entries(own).filter(([each]) => each !== id);
    change.mutate({ own_keys: Object.fromEntries(keys === undefined ? rest : [...rest, [id, keys]]) });
  };
  const choose = (id: string, keys: string) => {
    const [everywhere, ...screens] = groups;
    const own = screens.find((group) => group.keys.some((each) => each.id === id));
    // Keys of a screen may be used again on another one.
    const rivals = [...(everywhere?.keys ?? []), ...(own?.keys ?? screens.flatMap((each) => each.keys))];
    const rival = rivals.find((each) => each.id !== id && keysOf(each.id, each.keys) === keys);
    if (rival === undefined) store(id, keys);
    else setFault(words.taken(rival.name));
  };
  return (
    <Section
      title={words.title}
      text={words.text}
      beside={
        Object.keys(own).length > 0 && (
          <Button variant="default" onClick={() => change.mutate({ own_keys: {} })}>
            {words.resetAll}
          </Button>
        )
      }
    >
      {fault !== null && <FaultLine>{fault}</FaultLine>}
      {change.error !== null && <FaultLine>{describeFault(change.error, texts)}</FaultLine>}
      {groups.map(({ name, keys }) => (
        <section key={name} aria-label={name}>
          <Title order={3} fz={12} fw={500} c="dimmed" mb={4}>
            {name}
          </Title>
          {keys.map((each) => (
            <KeyRow
              key={each.id}
              name={each.name}
              keys={keysOf(each.id, each.keys)}
              isOwn={own[each.id] !== undefined}
              onChoose={(chosen) => choose(each.id, chosen)}
              onSwitchOff={() => store(each.id, null)}
              onReset={() => store(each.id, undefined)}
            />
          ))}
        </section>
      ))}
    </Section>
  );
}

interface KeyRowProps {
  readonly name: string;
  /** Null if they are switched off. */
  readonly keys: string | null;
  readonly isOwn: boolean;
  readonly onChoose: (keys: string) => void;
  readonly onSwitchOff: () => void;
  readonly onReset: () => void;
}

function KeyRow({ name, keys, isOwn, onChoose, onSwitchOff, onReset }: KeyRowProps) {
  const { texts } = useTexts();
  const words = texts.me.ownKeys;
  const [isListening, setListening] = useState(false);
  const first = useRef<string | null>(null);
  const stop = () => {
    first.current = null;
    setListening(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isListening || event.key === 'Tab') return;
    event.preventDefault();
    const key = readKey(event.nativeEvent);
    if (key === null) return;
    if (key === 'Escape') return stop();
    if (key === 'g' && first.current === null) {
      first.current = key;
      return;
    }
    onChoose(first.current === null ? key : `${first.current} ${key}`);
    stop();
  };
  return (
    <fieldset className="p-me-key" aria-label={words.keysOf(name)}>
      <Text className="p-me-row-text">{name}</Text>
      <Group gap={4} miw={72}>
        {keys === null ? (
          <Text c="dimmed">{words.off}</Text>
        ) : (
          keySigns(keys).map((sign) => <Kbd key={sign}>{sign}</Kbd>)
        )}
      </Group>
      <Group gap={4} justify="flex-end" className="p-me-key-actions">
        <Button
          size="xs"
          variant={isListening ? 'filled' : 'default'}
          title={words.pressHelp}
          onClick={() => setListening(true)}
          onKeyDown={onKeyDown}
          onBlur={stop}
        >
          {isListening ? words.press : words.change}
        </Button>
        {keys !== null && (
          <Button size="xs" variant="subtle" onClick={onSwitchOff}>
            {words.switchOff}
          </Button>
        )}
        {isOwn && (
          <Button size="xs" variant="subtle" onClick={onReset}>
            {words.reset}
          </Button>
        )}
      </Group>
    </fieldset>
  );
}
