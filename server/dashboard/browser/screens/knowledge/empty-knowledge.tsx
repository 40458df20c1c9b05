import { Button, Text, Title, UnstyledButton } from '@mantine/core';
import { toProblem } from '../../api/problem.ts';
import { useAddDemo } from '../../api/queries/documents.ts';
import { BookOpenText, ClipboardType, FileUp, type IconType, Link, Sprout, Upload } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { EmptyState } from '../../parts/states/empty-state.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface EmptyKnowledgeProps {
  readonly workspace: string;
  readonly may: boolean;
  readonly onChoose: () => void;
  readonly onOpen: (add: 'text' | 'page') => void;
}

/** A workspace without documents: the drop area is the page, and three other ways stand below it. */
export function EmptyKnowledge({ workspace, may, onChoose, onOpen }: EmptyKnowledgeProps) {
  const { texts } = useTexts();
  const words = texts.knowledge.empty;
  const demo = useAddDemo(workspace);
  if (!may) return <EmptyState icon={BookOpenText} title={words.noRight} text={words.noRightText} />;
  return (
    <div className="p-empty-knowledge">
      <div className="p-drop-area">
        <div className="p-state-tile">
          <Icon of={FileUp} size={24} />
        </div>
        <Title order={2} mt="lg" fz={18} lh="24px">
          {words.title}
        </Title>
        <Text c="var(--p-text-2)" mt={4}>
          {words.text}
        </Text>
        <Button mt="lg" leftSection={<Icon of={Upload} />} onClick={onChoose}>
          {words.choose}
        </Button>
        <Text size="xs" c="dimmed" mt="md">
          {words.formats}
        </Text>
      </div>
      <div className="p-ways">
        <Way
          icon={ClipboardType}
          name={texts.knowledge.add.text}
          text={words.pasteText}
          onPress={() => onOpen('text')}
        />
        <Way icon={Link} name={words.address} text={words.addressText} onPress={() => onOpen('page')} />
        <Way
          icon={Sprout}
          name={words.demo}
          text={words.demoText}
          busy={demo.isPending}
          onPress={() => demo.mutate()}
        />
      </div>
      {demo.isError && <FaultLine>{toProblem(demo.error).message}</FaultLine>}
    </div>
  );
}

interface WayProps {
  readonly icon: IconType;
  readonly name: string;
  readonly text: string;
  readonly busy?: boolean;
  readonly onPress: () => void;
}

function Way({ icon, name, text, busy = false, onPress }: WayProps) {
  return (
    <UnstyledButton className="p-card p-way" onClick={onPress} disabled={busy} aria-busy={busy}>
      <Icon of={icon} color="var(--p-dim)" />
      <span className="p-way-name">{name}</span>
      <span className="p-way-text">{text}</span>
    </UnstyledButton>
  );
}
