import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Mention, mentionsQuery, readMentions } from '../api/queries/inbox.ts';
import { useMay, useNearestWorkspace } from '../api/queries/workspace.ts';
import { Bell, CheckCheck } from '../icons.ts';
import { Icon } from '../parts/icon.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { toLink } from '../parts/to-link.ts';
import { customerName, useTexts } from '../texts/texts.tsx';

/** A bell with the number of unread mentions. It opens a list with links to the notes. */
export function MentionsBell() {
  const { texts } = useTexts();
  const { unread } = useMentions();
  const may = useMay('inbox:read');
  if (!may) return null;
  const label = unread === 0 ? texts.frame.mentions.title : texts.frame.mentions.unread(unread);
  return (
    <Menu position="top-start" width={340} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Tooltip label={label} position="right">
          <ActionIcon size="xs" aria-label={label} className="p-bell">
            <Icon of={Bell} />
            {unread > 0 && (
              <span className="p-bell-count p-numbers" aria-hidden="true">
                {unread}
              </span>
            )}
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown className="p-mentions">
        <MentionItems />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The number of unread mentions, for the bar of a phone. */
export function useUnreadMentions(): number {
  return useMentions().unread;
}

function useMentions() {
  const workspace = useNearestWorkspace();
  const may = useMay('inbox:read');
  const id = workspace?.id ?? '';
  const { data } = useQuery({ ...mentionsQuery(id), enabled: may && id !== '' });
  return { id, mentions: data?.mentions ?? [], unread: data?.unread ?? 0 };
}

/** The entries of the list; the menu of a phone has them as well. */
export function MentionItems() {
  const { texts } = useTexts();
  const words = texts.frame.mentions;
  const { id, mentions, unread } = useMentions();
  const client = useQueryClient();
  const readAll = async () => {
    await readMentions(id);
    await client.invalidateQueries({ queryKey: mentionsQuery(id).queryKey });
  };
  return (
    <>
      <Menu.Label>{words.title}</Menu.Label>
      {mentions.length === 0 && <p className="p-mentions-none">{words.none}</p>}
      {mentions.map((mention) => (
        <MentionItem key={mention.note_id} workspace={id} mention={mention} />
      ))}
      {unread > 0 && (
        <>
          <Menu.Divider />
          <Menu.Item leftSection={<Icon of={CheckCheck} />} onClick={() => void readAll()}>
            {words.readAll}
          </Menu.Item>
        </>
      )}
    </>
  );
}

function MentionItem({ workspace, mention }: { readonly workspace: string; readonly mention: Mention }) {
  const { texts } = useTexts();
  const words = texts.frame.mentions;
  return (
    <Menu.Item
      renderRoot={(props) => (
        <Link
          {...toLink(`/w/${workspace}/inbox/${mention.conversation_id}?note=${mention.note_id}`)}
          {...props}
        />
      )}
      className="p-mention"
      {...(mention.read_at === null && { 'data-unread': true })}
    >
      <span className="p-mention-head">
        <strong>{words.by(mention.author)}</strong>
        <TimeAgo at={mention.at} />
      </span>
      <span className="p-mention-text" dir="auto">
        {mention.content}
      </span>
      <span className="p-mention-where">{customerName(mention, texts)}</span>
    </Menu.Item>
  );
}
