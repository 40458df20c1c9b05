import { Button, Kbd } from '@mantine/core';
import type { NewMessage } from '../../../api/queries/conversation.ts';
import { TriangleAlert } from '../../../icons.ts';
import { keySigns } from '../../../keys/registry.ts';
import { Icon } from '../../../parts/icon.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { nameOf, useDesk } from '../conversation/use-desk.ts';

interface MovedOnProps {
  readonly messages: readonly NewMessage[];
  readonly onSend: () => void;
  readonly onDismiss: () => void;
}

const signs = keySigns('mod+Enter').join(' ');

/** The messages that arrived before the reply. The text is kept, and the same key sends it. */
export function MovedOn({ messages, onSend, onDismiss }: MovedOnProps) {
  const { texts } = useTexts();
  const words = texts.conversation;
  const { name, agents } = useDesk();
  if (messages.length === 0) return null;
  const speaker = ({ role, author }: NewMessage) => {
    if (role === 'user') return name;
    if (role === 'assistant') return words.assistant;
    return author === null ? words.somebody : nameOf(agents, author);
  };
  return (
    <div className="p-collision" role="alert">
      <p className="p-collision-title">
        <Icon of={TriangleAlert} />
        {words.composer.movedOn(messages.length)}
      </p>
      <ul>
        {messages.map((message) => (
          <li key={message.id}>
            <strong>{words.composer.from(speaker(message))}</strong> {message.content}
          </li>
        ))}
      </ul>
      <div className="p-collision-foot">
        <span>{words.composer.movedOnHint}</span>
        <Button
          size="xs"
          variant="default"
          rightSection={<Kbd aria-hidden="true">{signs}</Kbd>}
          onClick={onSend}
        >
          {words.composer.sendAnyway}
        </Button>
        <Button size="xs" variant="subtle" onClick={onDismiss}>
          {words.composer.dismiss}
        </Button>
      </div>
    </div>
  );
}

interface TakeOverProps {
  /** The name of the person who has the conversation. */
  readonly name: string;
  readonly onTake: () => void;
  readonly onLeave: () => void;
  readonly onDismiss: () => void;
}

/** Asked once in a conversation that is assigned to another person. */
export function TakeOver({ name, onTake, onLeave, onDismiss }: TakeOverProps) {
  const { texts } = useTexts();
  const words = texts.conversation.composer;
  return (
    <div className="p-collision" role="alert">
      <p className="p-collision-title">
        <Icon of={TriangleAlert} />
        {words.takeOverAsk(name)}
      </p>
      <div className="p-collision-foot">
        <Button
          size="xs"
          variant="default"
          rightSection={<Kbd aria-hidden="true">{signs}</Kbd>}
          onClick={onTake}
        >
          {words.takeOverAndSend}
        </Button>
        <Button size="xs" variant="subtle" onClick={onLeave}>
          {words.leaveWith(name)}
        </Button>
        <Button size="xs" variant="subtle" onClick={onDismiss}>
          {words.dismiss}
        </Button>
      </div>
    </div>
  );
}
