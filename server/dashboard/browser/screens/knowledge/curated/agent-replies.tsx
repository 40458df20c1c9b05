import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import type { GapDraft } from '../gaps/gap-queries.ts';
import { useCuratedWords } from './curated-words.ts';

interface AgentRepliesProps {
  readonly workspace: string;
  readonly replies: GapDraft['replies'];
  readonly onUse: (text: string) => void;
}

/** The replies of agents to visitors who asked this, with links to their conversations. */
export function AgentReplies({ workspace, replies, onUse }: AgentRepliesProps) {
  const words = useCuratedWords();
  return (
    <section aria-label={words.replies.title} className="p-replies">
      <h3>{words.replies.title}</h3>
      <Text size="xs" c="var(--p-text-2)">
        {replies.length === 0 ? words.replies.none : words.replies.hint}
      </Text>
      <ul>
        {replies.map(({ message_id: id, conversation_id: conversation, author, at, text }) => (
          <li key={id} className="p-card">
            <p>{text}</p>
            <div>
              <Text span size="xs" c="var(--p-text-2)">
                {author ?? words.replies.someone}, <TimeAgo at={at} />
              </Text>
              <Link to="/w/$workspace/inbox/$conversation" params={{ workspace, conversation }} search={{}}>
                {words.replies.open}
              </Link>
              <Button size="xs" variant="default" onClick={() => onUse(text)}>
                {words.replies.use}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
